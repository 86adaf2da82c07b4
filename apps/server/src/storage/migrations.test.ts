// How migration files are cut, ordered and judged, without a database.
import { expect, test } from "vitest";
import { checksum, choosePending, orderSources, splitStatements } from "./migrations.ts";

const source = (name: string, sql = "select 1") => ({ name, sql });
const applied = (name: string, sql = "select 1") => ({ name, checksum: checksum(sql) });

test("[OPS-4] a script is cut at semicolons outside quotes and comments, and lines are counted", () => {
  const script =
    "-- first; not here\ncreate table a (t text default 'x;''y');\n\n/* ; */ insert into a\nvalues (1 - 2 / 1);\n;";
  expect(splitStatements(script)).toEqual([
    { text: "create table a (t text default 'x;''y')", line: 2 },
    { text: "insert into a\nvalues (1 - 2 / 1)", line: 4 },
  ]);
});

test("[OPS-4] files are applied by slice and number", () => {
  const ordered = orderSources([source("users/002-b.sql"), source("ops/001-a.sql"), source("users/001-a.sql")]);
  expect(ordered.map(({ name }) => name)).toEqual(["ops/001-a.sql", "users/001-a.sql", "users/002-b.sql"]);
});

test.each([["ops/1-a.sql"], ["001-a.sql"], ["ops/001_a.sql"], ["ops/001-A.sql"]])(
  "[OPS-4] %s is no name of a migration",
  (name) => {
    expect(() => orderSources([source(name)])).toThrow(name);
  },
);

test("[OPS-4] a slice cannot use one number twice", () => {
  expect(() => orderSources([source("ops/001-a.sql"), source("ops/001-b.sql")])).toThrow(/same number/);
});

test("[OPS-4] a file changed after it was applied is refused by name", () => {
  const changed = [source("ops/001-a.sql", "select 2")];
  expect(() => choosePending(changed, [applied("ops/001-a.sql")])).toThrow(/^ops\/001-a\.sql was changed/);
});

test("[OPS-4] line endings alone are no change", () => {
  const sources = [source("ops/001-a.sql", "select 1;\r\nselect 2;")];
  expect(choosePending(sources, [applied("ops/001-a.sql", "select 1;\nselect 2;")])).toEqual([]);
});

test("[OPS-4] a database from a newer version is refused", () => {
  expect(() => choosePending([], [applied("ops/002-b.sql")])).toThrow(/ops\/002-b\.sql.*newer release/);
});

test("[OPS-4] a file that would slip in before an applied one is refused, in its own slice only", () => {
  const done = [applied("ops/002-b.sql")];
  const late = orderSources([source("ops/001-a.sql"), source("ops/002-b.sql")]);
  expect(() => choosePending(late, done)).toThrow(/ops\/001-a\.sql comes before ops\/002-b\.sql/);
  const other = orderSources([source("ops/002-b.sql"), source("kyc/001-a.sql")]);
  expect(choosePending(other, done).map(({ name }) => name)).toEqual(["kyc/001-a.sql"]);
});
