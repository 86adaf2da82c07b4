// What the dialect module decides without a database: types, bindable values, kinds of failure.
import { expect, test } from "vitest";
import {
  bindSqliteValue,
  classifyPostgresError,
  parsePostgresValue,
  readSqliteValue,
  resolveTokens,
} from "./dialect.ts";
import { DatabaseFault } from "./fault.ts";

test("[OPS-4] column tokens become each database's own type", () => {
  const sql = "create table a (n {{integer}}, b {{bytes}})";
  expect(resolveTokens(sql, "sqlite")).toBe("create table a (n INTEGER, b BLOB)");
  expect(resolveTokens(sql, "postgres")).toBe("create table a (n bigint, b bytea)");
});

test("[OPS-4] an unknown token is refused and the known ones are named", () => {
  expect(() => resolveTokens("create table a (n {{money}})", "sqlite")).toThrow(/\{\{money\}\}.*integer, amount/);
});

test.each([
  [undefined],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [new Date(0)],
  [{ a: 1 }],
  [Symbol("x")],
  [1.5],
  [2 ** 53],
  ["a\0b"],
])("[OPS-4] %s is refused before it reaches SQLite", (value) => {
  expect(() => bindSqliteValue(value)).toThrow(DatabaseFault);
});

test("[OPS-4] a view into a larger buffer is sent alone", () => {
  const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
  const bound = bindSqliteValue(view);
  expect(bound).toEqual(new Uint8Array([2, 3]));
  expect((bound as Uint8Array).buffer.byteLength).toBe(2);
});

test("[OPS-4] an integer beyond 2^53 fails to read as a number on both, and is exact as an amount", () => {
  const large = 2n ** 53n;
  expect(() => readSqliteValue(large, "INTEGER")).toThrow(/does not fit/);
  expect(() => parsePostgresValue(20)?.(String(large))).toThrow(/does not fit/);
  expect(readSqliteValue(large + 1n, "BIGINT")).toBe(large + 1n);
  expect(parsePostgresValue(1700)?.(String(large + 1n))).toBe(large + 1n);
});

test.each([
  [Object.assign(new Error("dup"), { code: "23505" }), "duplicate"],
  [Object.assign(new Error("deadlock"), { code: "40P01" }), "conflict"],
  [Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" }), "timeout"],
  [Object.assign(new Error("terminating connection"), { code: "57P01" }), "unavailable"],
  [Object.assign(new Error("write EPIPE"), { code: "EPIPE" }), "unavailable"],
  [Object.assign(new Error("too many clients"), { code: "53300" }), "unavailable"],
  [Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }), "unavailable"],
  [new Error("Connection terminated unexpectedly"), "unavailable"],
  [new Error("timeout exceeded when trying to connect"), "unavailable"],
  [new Error("Query read timeout"), "timeout"],
  [Object.assign(new Error("syntax error"), { code: "42601" }), "broken"],
  [new TypeError("x is not a function"), "broken"],
])("[OPS-4] PostgreSQL's %s is a fault of kind %s", (error, kind) => {
  expect(classifyPostgresError(error).kind).toBe(kind);
});
