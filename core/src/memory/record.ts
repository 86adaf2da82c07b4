// Owns how the members of a record are read and written. A record is described once: a type of its own and one line for
// each member, which says where it is; whoever reads or writes names the member, and the compiler refuses one of another
// record. Nothing of this is left when the program runs but an index into an array. Holds no rule.

declare const BRAND: unique symbol;
/** A number or a view that says what it is of; a literal may become one, one of another record may not. */
type Branded<T, What> = T & { readonly [BRAND]?: What };

/** The views of an array of records `R`. */
export type Words<R> = Branded<Int32Array, ["words", R]>;
export type Doubles<R> = Branded<Float64Array, ["doubles", R]>;
/** Where a record begins, in words. */
export type Begin<R> = Branded<number, ["begin", R]>;
/** A member of 32 bits: words from the beginning of its record. */
export type Word<R> = Branded<number, ["word", R]>;
/** A member of 64 bits: doubles from the beginning of its record. */
export type Double<R> = Branded<number, ["double", R]>;

/** Members of commands and events that are smaller or longer: bytes from the beginning, or words of an id's two halves. */
export type Byte<R> = Branded<number, ["byte", R]>;
export type Id<R> = Branded<number, ["id", R]>;

/** The number of a kind of records, and one of them that is being written. */
export type Kind<R> = Branded<number, ["kind", R]>;
export type Opened<R> = Branded<number, ["opened", R]>;

export function getWord<R>(words: Words<NoInfer<R>>, at: Begin<NoInfer<R>>, member: Word<R>): number {
  return words[at + member] as number;
}

export function setWord<R>(words: Words<NoInfer<R>>, at: Begin<NoInfer<R>>, member: Word<R>, value: number): void {
  words[at + member] = value;
}

export function addWord<R>(words: Words<NoInfer<R>>, at: Begin<NoInfer<R>>, member: Word<R>, value: number): void {
  words[at + member] = (words[at + member] as number) + value;
}

export function getDouble<R>(doubles: Doubles<NoInfer<R>>, at: Begin<NoInfer<R>>, member: Double<R>): number {
  return doubles[(at >> 1) + member] as number;
}

export function setDouble<R>(
  doubles: Doubles<NoInfer<R>>,
  at: Begin<NoInfer<R>>,
  member: Double<R>,
  value: number,
): void {
  doubles[(at >> 1) + member] = value;
}

export function addDouble<R>(
  doubles: Doubles<NoInfer<R>>,
  at: Begin<NoInfer<R>>,
  member: Double<R>,
  value: number,
): void {
  doubles[(at >> 1) + member] = (doubles[(at >> 1) + member] as number) + value;
}
