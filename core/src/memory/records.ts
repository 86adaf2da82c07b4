// Owns a table of records whose members are asked for by the record's number. Holds no rule.
import { type Begin, type Double, getDouble, getWord, setDouble, setWord, type Word } from "./record.ts";
import { Table } from "./table.ts";

export class Records<R> {
  readonly table: Table<R>;

  constructor(name: string, words: number, capacity = 8) {
    this.table = new Table(name, words, capacity);
  }

  at(record: number): Begin<R> {
    return record * this.table.stride;
  }

  word(record: number, word: Word<R>): number {
    return getWord(this.table.i32, this.at(record), word);
  }

  setWord(record: number, word: Word<R>, value: number): void {
    setWord(this.table.i32, this.at(record), word, value);
  }

  double(record: number, double: Double<R>): number {
    return getDouble(this.table.f64, this.at(record), double);
  }

  setDouble(record: number, double: Double<R>, value: number): void {
    setDouble(this.table.f64, this.at(record), double, value);
  }

  add(record: number, double: Double<R>, value: number): void {
    this.setDouble(record, double, this.double(record, double) + value);
  }

  /** A record whose every word is zero. */
  take(): number {
    const record = this.table.take();
    this.table.i32.fill(0, this.at(record), this.at(record + 1));
    return record;
  }
}
