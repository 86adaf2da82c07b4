// Roles of operators and what each permits. Pure: who has a role is the store's, whether its second factor is fresh the
// service's. A slice registers its own permissions when its part is made; the list here is the platform's.

export const OPERATOR_ROLES = ["admin", "kyc-reviewer", "auditor", "editor", "support", "compliance"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

const PERMISSIONS = [
  "kyc.review",
  "audit.read",
  "operators.manage",
  "content.edit",
  "visits.read",
  "coupons.issue",
  "support.answer",
  "reports.read",
  "trading.stop",
  "withdrawals.review",
] as const;
type Permission = (typeof PERMISSIONS)[number];

const ALLOWED: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  // Reports of whistleblowers are visible to compliance only; granting that role is in the audit log.
  admin: PERMISSIONS.filter((permission) => permission !== "reports.read"),
  "kyc-reviewer": ["kyc.review"],
  auditor: ["audit.read", "visits.read"],
  editor: ["content.edit", "visits.read"],
  support: ["support.answer"],
  compliance: ["support.answer", "reports.read", "audit.read", "withdrawals.review"],
};

/** A working day: after that the console requires the authenticator again. */
export const CONSOLE_MS = 8 * 3_600_000;

/** A permission of a slice and the roles that have it besides administrators. */
export interface PermissionSpec {
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}

/** All permissions: the platform's, and those slices register before the first request. */
export interface Permissions {
  add(...specs: readonly PermissionSpec[]): void;
  has(name: string): boolean;
  of(roles: readonly OperatorRole[]): readonly string[];
  /** Those the roles may read under: all of theirs, and for auditors what shows nobody's documents and letters. */
  readableBy(roles: readonly OperatorRole[]): readonly string[];
}

/** Auditors read every place of the console but these: what users wrote, their documents, and reports. */
const CLOSED_TO_AUDITORS = ["kyc.review", "support.answer", "otc.complaints", "reports.read"];

export function createPermissions(): Permissions {
  const holders = new Map<string, readonly OperatorRole[]>(
    PERMISSIONS.map((name) => [name, OPERATOR_ROLES.filter((role) => ALLOWED[role].includes(name))]),
  );
  const of: Permissions["of"] = (roles) =>
    [...holders].filter(([, held]) => roles.some((role) => held.includes(role))).map(([name]) => name);
  return {
    of,
    readableBy: (roles) =>
      roles.includes("auditor")
        ? [...new Set([...of(roles), ...[...holders.keys()].filter((name) => !CLOSED_TO_AUDITORS.includes(name))])]
        : of(roles),
    add(...specs) {
      for (const { name, roles } of specs) {
        if (holders.has(name)) throw new Error(`the permission ${name} is registered twice`);
        holders.set(name, ["admin", ...roles]);
      }
    },
    has: (name) => holders.has(name),
  };
}

/** Names that look alike are one name: without case, accents' forms, spaces and punctuation. */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

export function isRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}
