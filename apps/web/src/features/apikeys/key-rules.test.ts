import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { findWrongAddress, judgeKeyText, listAddresses } from "./key-rules.ts";

const pem = (pair: ReturnType<typeof generateKeyPairSync>) =>
  (pair as { publicKey: { export(options: object): string } }).publicKey.export({ type: "spki", format: "pem" });

test("[USR-2] a public key is validated while it is typed: its kind, and whether it is one", () => {
  const ed25519 = pem(generateKeyPairSync("ed25519") as never);
  const rsa = pem(generateKeyPairSync("rsa", { modulusLength: 2048 }) as never);
  const short = pem(generateKeyPairSync("rsa", { modulusLength: 1024 }) as never);
  expect(judgeKeyText("ED25519", "")).toBe("empty");
  expect(judgeKeyText("ED25519", ed25519)).toBe("good");
  expect(judgeKeyText("RSA", rsa)).toBe("good");
  expect(judgeKeyText("RSA", ed25519)).toBe("other");
  expect(judgeKeyText("ED25519", rsa)).toBe("other");
  expect(judgeKeyText("RSA", short)).toBe("bad");
  expect(judgeKeyText("ED25519", ed25519.slice(0, 60))).toBe("bad");
  expect(judgeKeyText("ED25519", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----")).toBe("private");
});

test("[USR-2] addresses are judged as they are typed", () => {
  const good = "203.0.113.7, 10.0.0.0/8\n2001:db8::/32 ::1 fe80::1 ::ffff:10.0.0.1";
  expect(findWrongAddress(listAddresses(good))).toBeUndefined();
  for (const wrong of [
    "203.0.113.300",
    "1.2.3",
    "1.2.3.4/33",
    "1.2.3.4/0",
    "1::2::3",
    "2001:db8::/129",
    "host",
    "1:2:3",
  ])
    expect(findWrongAddress(["10.0.0.1", wrong])).toBe(wrong);
});
