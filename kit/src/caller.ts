// The caller of a route, and the permitted ones. A route declares the scope it needs; how a caller is authenticated (a
// cookie, a token, a signature) is the server's business.
import type { RefusalTable } from "./endpoint.ts";

/** The permissions of an API key. Every key may at least read. */
export const KEY_PERMISSIONS = ["read", "spot", "futures", "transfer", "withdraw"] as const;
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

export type Caller =
  | { readonly kind: "visitor" }
  /** A user in a session. */
  | { readonly kind: "user"; readonly userId: string; readonly sessionId?: string }
  /** A person whose role has the route's permission, with their second factor proved. */
  | { readonly kind: "operator"; readonly userId: string; readonly sessionId?: string; readonly permission: string }
  /** A program with a user's key. */
  | {
      readonly kind: "key";
      readonly userId: string;
      readonly keyId: string;
      readonly permissions: readonly KeyPermission[];
    }
  /** This process itself, perhaps in a user's name. No request from outside can be one. */
  | { readonly kind: "internal"; readonly name: string; readonly userId: string | null };

/**
 * Who may make a call: `visitor` anyone; `user` a person in a session, no key; `{ key }` a person in a session or their
 * key with that permission; `{ operator }` an operator whose role has that permission; `internal` this process only.
 */
export type RouteScope =
  | "visitor"
  | "user"
  | "internal"
  | { readonly key: KeyPermission }
  | { readonly operator: string };

/** The refusals of the guard of operators' routes, with status and message. */
export const GUARD_REFUSALS = {
  FORBIDDEN: [403, "Your role does not allow this."],
  OPERATOR_TOTP_REQUIRED: [403, "Operators need an authenticator; bind one in the security centre first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you."],
} as const satisfies RefusalTable<string>;

export const VISITOR: Caller = { kind: "visitor" };

export function userIdOf(caller: Caller): string | null {
  return caller.kind === "visitor" ? null : caller.userId;
}

export function sessionIdOf(caller: Caller): string | undefined {
  return caller.kind === "user" || caller.kind === "operator" ? caller.sessionId : undefined;
}

export type ScopeRefusal = "UNAUTHENTICATED" | "KEY_FORBIDDEN" | "NOT_FOUND";

/** Why this caller may not, as far as the caller alone determines it; an operator's role is checked afterwards. */
export function findScopeRefusal(scope: RouteScope | undefined, caller: Caller): ScopeRefusal | undefined {
  if (scope === undefined || scope === "visitor") return undefined;
  if (scope === "internal") return caller.kind === "internal" ? undefined : "NOT_FOUND";
  if (userIdOf(caller) === null) return "UNAUTHENTICATED";
  if (caller.kind !== "key") return undefined;
  const isAllowed = typeof scope === "object" && "key" in scope && caller.permissions.includes(scope.key);
  return isAllowed ? undefined : "KEY_FORBIDDEN";
}

/** True where a visitor must sign in. */
export function needsUser(scope: RouteScope | undefined): boolean {
  return scope !== undefined && scope !== "visitor" && scope !== "internal";
}
