// Owns a table of records whose words and doubles are asked for by place. Holds no rule.
import { Table } from "./table.ts";

export class Records {
  readonly table: Table;

  constructor(name: string, words: number) {
    this.table = new Table(name, words, 8);
  }

  word(record: number, word: number): number {
    return this.table.i32[record * this.table.stride + word] as number;
  }

  setWord(record: number, word: number, value: number): void {
    this.table.i32[record * this.table.stride + word] = value;
  }

  double(record: number, double: number): number {
    return this.table.f64[record * (this.table.stride >> 1) + double] as number;
  }

  setDouble(record: number, double: number, value: number): void {
    this.table.f64[record * (this.table.stride >> 1) + double] = value;
  }

  add(record: number, double: number, value: number): void {
    this.setDouble(record, double, this.double(record, double) + value);
  }

  /** A record whose every word is zero. */
  take(): number {
    const record = this.table.take();
    this.table.i32.fill(0, record * this.table.stride, (record + 1) * this.table.stride);
    return record;
  }
}
