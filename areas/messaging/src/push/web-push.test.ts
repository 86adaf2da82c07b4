// Web Push against the example of RFC 8291, and its requests against what RFC 8292 asks of them.
import { createHmac, createPublicKey, ECDH, verify } from "node:crypto";
import { allOf } from "@clockwork/kit/all-of";
import { expect, test } from "vitest";
import { encryptPush, pushIdentity, signPush } from "./web-push.ts";
import { isPushService, packSubscription, unpackSubscription } from "./web-subscription.ts";

const P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH = "BTBZMqHH6r4Tts7J_aSIgg";
const ENDPOINT = "https://updates.push.services.mozilla.com/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV";

test("[SITE-24] a push is encrypted as in the example of RFC 8291", () => {
  const body = encryptPush(
    Buffer.from("When I grow up, I want to be a watermelon"),
    { p256dh: P256DH, auth: AUTH },
    {
      privateKey: Buffer.from("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw", "base64url"),
      salt: Buffer.from("DGv6ra1nlYgDCS1FRnbzlw", "base64url"),
    },
  );
  expect(body.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

test("[SITE-24] the request names its audience, ends, and is signed by the key the browser subscribed to", () => {
  const secret = (attempt: number) => createHmac("sha256", "k").update(String(attempt)).digest();
  const identity = pushIdentity(secret);
  expect(pushIdentity(secret).publicKey).toBe(identity.publicKey);
  const nowMs = Date.UTC(2026, 10, 20);
  const header = signPush(identity, ENDPOINT, "mailto:ops@example.com", nowMs);
  const [, head = "", claims = "", signature = "", key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(identity.publicKey);
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    aud: "https://updates.push.services.mozilla.com",
    exp: nowMs / 1000 + 12 * 3600,
    sub: "mailto:ops@example.com",
  });
  const point = Buffer.from(identity.publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const bytes = Buffer.from(signature, "base64url");
  expect(verify("sha256", Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes)).toBe(
    true,
  );
});

test("[SITE-24] a secret that is no private key of the curve is passed by", () => {
  const secrets = [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.alloc(32, 7)];
  const identity = pushIdentity((attempt) => secrets[attempt] as Buffer);
  expect(identity.publicKey).toBe(pushIdentity(() => Buffer.alloc(32, 7)).publicKey);
});

test("[SITE-24] a subscription names a push service of a browser and a key of the curve, or is refused", () => {
  const good = { endpoint: ENDPOINT, p256dh: P256DH, auth: AUTH };
  const token = packSubscription(good, []) ?? "";
  expect(unpackSubscription(token)).toEqual(good);
  expect(isPushService("https://wns2-par02p.notify.windows.com/w/?token=x", [])).toBe(true);
  expect(isPushService("http://127.0.0.1:9/x", ["http://127.0.0.1:9"])).toBe(true);
  const strange = [
    "http://fcm.googleapis.com/fcm/send/x",
    "https://fcm.googleapis.com.evil.example/x",
    "https://fcm.googleapis.com:8443/x",
    "https://user@fcm.googleapis.com/x",
    "https://169.254.169.254/latest",
    "http://127.0.0.1:9/x",
    "file:///etc/passwd",
    "push.apple.com",
  ];
  expect(allOf(strange, (endpoint) => packSubscription({ ...good, endpoint }, []) === undefined)).toBe(true);
  const offCurve = Buffer.from(P256DH, "base64url");
  offCurve[64] = (offCurve[64] as number) ^ 1;
  expect(() => ECDH.convertKey(offCurve, "prime256v1")).toThrow();
  expect(packSubscription({ ...good, p256dh: offCurve.toString("base64url") }, [])).toBeUndefined();
  expect(packSubscription({ ...good, auth: "AAAA" }, [])).toBeUndefined();
});
