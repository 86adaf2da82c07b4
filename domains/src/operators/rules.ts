// Roles of operators and what each allows. Pure: who has a role is the store's, whether its second factor is fresh the
// service's. A new part of the console adds its permission here.

export const OPERATOR_ROLES = ["admin", "kyc-reviewer", "auditor", "editor", "support", "compliance"] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const PERMISSIONS = [
  "kyc.review",
  "audit.read",
  "operators.manage",
  "content.edit",
  "visits.read",
  "coupons.issue",
  "support.answer",
  "reports.read",
  "trading.stop",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const ALLOWED: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  // Reports of whistleblowers go to compliance and to nobody else; who takes that role is in the audit log.
  admin: PERMISSIONS.filter((permission) => permission !== "reports.read"),
  "kyc-reviewer": ["kyc.review"],
  auditor: ["audit.read", "visits.read"],
  editor: ["content.edit", "visits.read"],
  support: ["support.answer"],
  compliance: ["support.answer", "reports.read", "audit.read"],
};

/** A working day: the console asks for the authenticator again after that. */
export const CONSOLE_MS = 8 * 3_600_000;

export function permissionsOf(roles: readonly OperatorRole[]): readonly Permission[] {
  return PERMISSIONS.filter((permission) => roles.some((role) => ALLOWED[role].includes(permission)));
}

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

export function isRole(text: string): text is OperatorRole {
  return (OPERATOR_ROLES as readonly string[]).includes(text);
}
