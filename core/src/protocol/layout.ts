// Owns the field descriptors that tie a name to a place in a binary record, so that the object form and the
// bytes of a command or event can never disagree. The core itself reads and writes the same members by their places.
import { assert } from "@clockwork/kit/assert";
import type { Byte, Double, Id, Word } from "../memory/record.ts";

/** A member the object form must state. */
export interface Field<T> {
  readonly at: number;
  readonly size: number;
  read(view: DataView, base: number): T;
  write(view: DataView, base: number, value: T): void;
}

/** How the core gets at a member: a word, a double, the two words of an id, or bytes. */
type Access = "word" | "double" | "id" | "byte";
type By<A extends Access, T> = Field<T> & { readonly access: A };

/** A member the object form may leave out; the bytes then hold `fallback`. */
export interface OptionalField<T> extends Field<T> {
  readonly fallback: T;
}

export type Layout = Readonly<Record<string, Field<never>>>;

type ValueOf<F> = F extends { read(view: DataView, base: number): infer T } ? T : never;
/** A list takes members with and without their fallbacks and gives all of them back. */
type GivenOf<F> = F extends { readonly given?: infer T extends object } ? T : ValueOf<F>;
type OptionalKeys<L> = { [K in keyof L]: L[K] extends { readonly fallback: unknown } ? K : never }[keyof L];
type Flatten<T> = { [K in keyof T]: T[K] };

/** What a caller writes. */
export type InputOf<L> = Flatten<
  { readonly [K in Exclude<keyof L, OptionalKeys<L>>]: GivenOf<L[K]> } & {
    readonly [K in OptionalKeys<L>]?: ValueOf<L[K]>;
  }
>;
/** What a reader gets back: every member present. */
export type OutputOf<L> = { readonly [K in keyof L]: ValueOf<L[K]> };

export function optional<F extends Readonly<Record<"read", unknown>>>(
  field: F,
  fallback: ValueOf<F>,
): F & { readonly fallback: ValueOf<F> } {
  return { ...field, fallback };
}

type PlaceOf<F, R> = F extends { readonly access: "word" }
  ? Word<R>
  : F extends { readonly access: "double" }
    ? Double<R>
    : F extends { readonly access: "id" }
      ? Id<R>
      : Byte<R>;

/** Where the members of a record are, for whoever reads and writes its words and doubles. */
export function placesOf<R, L extends object>(layout: L): { readonly [K in keyof L]: PlaceOf<L[K], R> } {
  const shifts: Readonly<Record<string, number>> = { word: 2, id: 2, double: 3 };
  const fields = Object.entries(layout as Readonly<Record<string, { at: number; access?: Access }>>);
  const places = fields.map(([name, { at, access }]) => [name, at >> (shifts[access ?? ""] ?? 0)]);
  return Object.fromEntries(places) as { readonly [K in keyof L]: PlaceOf<L[K], R> };
}

function checkInteger(value: number, low: number, high: number, at: number): void {
  assert(Number.isInteger(value) && value >= low && value <= high, "CODEC-1", `${value} at byte ${at} is out of range`);
}

export function u8(at: number): By<"byte", number> {
  return {
    access: "byte",
    at,
    size: 1,
    read: (view, base) => view.getUint8(base + at),
    write(view, base, value) {
      checkInteger(value, 0, 255, at);
      view.setUint8(base + at, value);
    },
  };
}

export function u16(at: number): Field<number> {
  return {
    at,
    size: 2,
    read: (view, base) => view.getUint16(base + at, true),
    write(view, base, value) {
      checkInteger(value, 0, 0xffff, at);
      view.setUint16(base + at, value, true);
    },
  };
}

export function i32(at: number): By<"word", number> {
  return {
    access: "word",
    at,
    size: 4,
    read: (view, base) => view.getInt32(base + at, true),
    write(view, base, value) {
      checkInteger(value, -0x80000000, 0x7fffffff, at);
      view.setInt32(base + at, value, true);
    },
  };
}

/** A whole number up to 2^53 − 1, kept in a double. */
export function whole(at: number): By<"double", number> {
  return {
    access: "double",
    at,
    size: 8,
    read: (view, base) => view.getFloat64(base + at, true),
    write(view, base, value) {
      checkInteger(value, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, at);
      view.setFloat64(base + at, value, true);
    },
  };
}

/** Three bytes. */
export function u24(at: number): Field<number> {
  return {
    at,
    size: 3,
    read: (view, base) => view.getUint16(base + at, true) + view.getUint8(base + at + 2) * 0x10000,
    write(view, base, value) {
      checkInteger(value, 0, 0xffffff, at);
      view.setUint16(base + at, value & 0xffff, true);
      view.setUint8(base + at + 2, value >>> 16);
    },
  };
}

export function flag(at: number): By<"byte", boolean> {
  return {
    access: "byte",
    at,
    size: 1,
    read: (view, base) => view.getUint8(base + at) !== 0,
    write: (view, base, value) => view.setUint8(base + at, value ? 1 : 0),
  };
}

/** A name from a closed list, stored as its position. */
export function oneOf<const N extends readonly string[]>(at: number, names: N): Field<N[number]> {
  return {
    at,
    size: 1,
    read(view, base) {
      const name = names[view.getUint8(base + at)];
      assert(name !== undefined, "CODEC-2", `byte ${at} names nothing`);
      return name;
    },
    write(view, base, value) {
      const position = names.indexOf(value);
      assert(position >= 0, "CODEC-2", `unknown name ${value}`);
      view.setUint8(base + at, position);
    },
  };
}

/** A name stored in some bits of the 16-bit word at `at`. */
export function bits<const N extends readonly string[]>(
  at: number,
  shift: number,
  width: number,
  names: N,
): Field<N[number]> {
  const mask = (1 << width) - 1;
  return {
    at,
    size: 2,
    read(view, base) {
      const name = names[(view.getUint16(base + at, true) >> shift) & mask];
      assert(name !== undefined, "CODEC-2", `bits ${shift} at byte ${at} name nothing`);
      return name;
    },
    write(view, base, value) {
      const position = names.indexOf(value);
      assert(position >= 0 && position <= mask, "CODEC-2", `unknown name ${value}`);
      const word = view.getUint16(base + at, true) & ~(mask << shift);
      view.setUint16(base + at, word | (position << shift), true);
    },
  };
}

export function bit(at: number, shift: number): Field<boolean> {
  return {
    at,
    size: 2,
    read: (view, base) => ((view.getUint16(base + at, true) >> shift) & 1) === 1,
    write(view, base, value) {
      const word = view.getUint16(base + at, true) & ~(1 << shift);
      view.setUint16(base + at, value ? word | (1 << shift) : word, true);
    },
  };
}

/** Raw bytes as lower-case hexadecimal digits. */
export function hex(at: number, bytes: number): Field<string> {
  return {
    at,
    size: bytes,
    read: (view, base) =>
      Array.from({ length: bytes }, (_, i) =>
        view
          .getUint8(base + at + i)
          .toString(16)
          .padStart(2, "0"),
      ).join(""),
    write(view, base, value) {
      assert(/^[0-9a-f]*$/.test(value) && value.length === bytes * 2, "CODEC-9", `no ${bytes} bytes at byte ${at}`);
      for (let i = 0; i < bytes; i++) view.setUint8(base + at + i, Number.parseInt(value.slice(i * 2, i * 2 + 2), 16));
    },
  };
}

export interface ListField<L> extends Field<readonly OutputOf<L>[]> {
  /** Byte of the first member, and from one to the next. */
  readonly from: number;
  readonly stride: number;
  readonly countMax: number;
  readonly layout: L;
  /** Only for the types: what a caller writes. */
  readonly given?: readonly InputOf<L>[];
}

/** Up to `countMax` members of one shape: a byte that counts them, then from byte 8 on `stride` bytes for each. */
export function listOf<const L extends Readonly<Record<string, { readonly at: number }>>>(
  at: number,
  countMax: number,
  stride: number,
  layout: L,
): ListField<L> {
  const fields = Object.entries(layout) as unknown as readonly (readonly [
    string,
    Field<unknown> & { fallback?: unknown },
  ])[];
  return {
    at,
    from: at + 8,
    stride,
    countMax,
    layout,
    size: 8 + countMax * stride,
    read(view, base) {
      const count = Math.min(view.getUint8(base + at), countMax);
      return Array.from({ length: count }, (_, i) => {
        const from = base + at + 8 + i * stride;
        return Object.fromEntries(fields.map(([name, field]) => [name, field.read(view, from)])) as OutputOf<L>;
      });
    },
    write(view, base, value) {
      assert(value.length <= countMax, "CODEC-8", `${value.length} at byte ${at}, not more than ${countMax}`);
      view.setUint8(base + at, value.length);
      for (const [i, one] of value.entries()) {
        for (const [name, field] of fields) {
          const given = (one as Readonly<Record<string, unknown>>)[name] ?? field.fallback;
          assert(given !== undefined, "CODEC-5", `a member of the list at byte ${at} lacks ${name}`);
          field.write(view, base + at + 8 + i * stride, given);
        }
      }
    },
  };
}

export const ORDER_SLOT_COUNT = 0x1000000;

/** An order id: 24 bits of slot below, 29 bits of generation above; the bytes keep them as two words. */
export function orderId(at: number): By<"id", number> {
  return {
    access: "id",
    at,
    size: 8,
    read: (view, base) => view.getInt32(base + at, true) + view.getInt32(base + at + 4, true) * ORDER_SLOT_COUNT,
    write(view, base, value) {
      checkInteger(value, 0, Number.MAX_SAFE_INTEGER, at);
      view.setInt32(base + at, value % ORDER_SLOT_COUNT, true);
      view.setInt32(base + at + 4, Math.floor(value / ORDER_SLOT_COUNT), true);
    },
  };
}

/** ASCII text with one length byte before it; unused bytes are zero. */
export function text(at: number, lengthMax: number): Field<string> {
  return {
    at,
    size: 1 + lengthMax,
    read(view, base) {
      let value = "";
      const length = view.getUint8(base + at);
      for (let i = 1; i <= length; i++) value += String.fromCharCode(view.getUint8(base + at + i));
      return value;
    },
    write(view, base, value) {
      assert(value.length <= lengthMax, "CODEC-3", `text at byte ${at} is longer than ${lengthMax}`);
      view.setUint8(base + at, value.length);
      for (let i = 0; i < lengthMax; i++) {
        const code = i < value.length ? value.charCodeAt(i) : 0;
        assert(code < 128, "CODEC-3", `text at byte ${at} is not ASCII`);
        view.setUint8(base + at + 1 + i, code);
      }
    },
  };
}
