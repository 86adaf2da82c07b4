import { expect, test } from "vitest";
import { createPermissions, foldName } from "./rules.ts";

test("[OPS-1] a slice's permission is had by the roles it names and by administrators", () => {
  const permissions = createPermissions();
  expect(permissions.has("vaults.open")).toBe(false);
  permissions.add({ name: "vaults.open", roles: ["compliance"] });
  expect(permissions.has("vaults.open")).toBe(true);
  const may = (role: "admin" | "compliance" | "editor") => permissions.of([role]).includes("vaults.open");
  expect([may("admin"), may("compliance"), may("editor")]).toEqual([true, true, false]);
  expect(createPermissions().has("vaults.open")).toBe(false);
});

test("[OPS-1] a name is registered once, a slice's or the platform's own", () => {
  const permissions = createPermissions();
  permissions.add({ name: "vaults.open", roles: [] });
  for (const name of ["vaults.open", "kyc.review"]) {
    expect(() => permissions.add({ name, roles: ["editor"] })).toThrow(name);
  }
  expect(permissions.of(["editor"])).not.toContain("kyc.review");
});

test("[OPS-1] reports of whistleblowers are visible to compliance only", () => {
  const permissions = createPermissions();
  expect(
    [permissions.of(["admin"]), permissions.of(["compliance"])].map((held) => held.includes("reports.read")),
  ).toEqual([false, true]);
});

test("[OPS-1] an auditor reads nearly every place and acts in none but the log's", () => {
  const permissions = createPermissions();
  permissions.add({ name: "vaults.open", roles: [] });
  expect(permissions.of(["auditor"])).not.toContain("vaults.open");
  expect(permissions.readableBy(["auditor"])).toContain("vaults.open");
  expect(permissions.readableBy(["auditor"])).toContain("withdrawals.review");
  for (const name of ["kyc.review", "support.answer", "reports.read"])
    expect(permissions.readableBy(["auditor"])).not.toContain(name);
  expect(permissions.readableBy(["editor"])).toEqual(permissions.of(["editor"]));
});

test("[OPS-1] names that differ in case, form or punctuation alone are one name", () => {
  expect(new Set(["L. Okafor", "l okafor", "L.OKAFOR", "Ｌ Okafor"].map(foldName)).size).toBe(1);
  expect(foldName("J. Weiss")).not.toBe(foldName("J. Weis"));
});
