// The signatures of API keys compared with the library's own.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hmacProof, isSigned } from "./rules.ts";

test("[USR-2] an HMAC equals the library's own for every length of secret and payload, and no variation passes", () => {
  for (const secret of ["k", "s".repeat(63), "s".repeat(64), "s".repeat(65), "é€𝄞".repeat(40)]) {
    const proof = hmacProof(secret);
    for (const payload of [
      "",
      "a=1",
      "n=é€𝄞",
      "x".repeat(1_024),
      "€".repeat(1_024),
      "x".repeat(1_025),
      "y".repeat(9_000),
    ]) {
      const wanted = createHmac("sha256", secret).update(payload).digest("hex");
      expect(proof.digest(payload)).toBe(wanted);
      expect(isSigned(proof, payload, wanted.toUpperCase())).toBe(true);
      expect(isSigned(proof, `${payload}x`, wanted)).toBe(false);
      expect(isSigned(proof, payload, wanted.slice(0, 63) + (wanted.endsWith("0") ? "1" : "0"))).toBe(false);
      expect(isSigned(proof, payload, wanted.slice(1))).toBe(false);
    }
  }
});
