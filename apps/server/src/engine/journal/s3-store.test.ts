// Checks the client of an S3-compatible store: the published example of Signature Version 4, and a store that is away for a while.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { S3_CREDENTIALS, type S3Server, startS3 } from "./s3-fixture.ts";
import { S3Store, signRequest } from "./s3-store.ts";

let server: S3Server;
const folder = mkdtempSync(join(tmpdir(), "cw-s3-"));
const credentials = join(folder, "credentials");
beforeAll(async () => {
  server = await startS3();
  const lines = ["[default]", `aws_access_key_id = ${S3_CREDENTIALS.keyId}`];
  writeFileSync(credentials, `${lines.join("\n")}\naws_secret_access_key=${S3_CREDENTIALS.secret}\n`);
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const storeOf = (region = "eu-test-1"): S3Store =>
  new S3Store({ kind: "s3", endpoint: server.endpoint, region, bucket: "cw", prefix: "a b/", credentials }, 1);

test("[OPS-6] a request is signed as the example that the protocol's publisher gives", () => {
  const { authorization } = signRequest(
    {
      method: "GET",
      url: new URL("https://examplebucket.s3.amazonaws.com/test.txt"),
      headers: { range: "bytes=0-9" },
      payloadSha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      region: "us-east-1",
      timeMs: Date.parse("2013-05-24T00:00:00Z"),
    },
    { keyId: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  );
  expect(authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

test("[OPS-6] an object comes back by range; a store that fails is tried again, one that refuses is not", async () => {
  const store = storeOf();
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
  server.fail(2);
  await store.put("one.zst", bytes);
  server.fail(1);
  expect(await store.read("one.zst", 100, 50)).toEqual(bytes.slice(100, 150));
  expect(await store.read("two.zst", 0, 1)).toBeUndefined();
  await expect(store.read("one.zst", 990, 20)).rejects.toThrow("sent 10 bytes instead of 20");
  await expect(storeOf("us-test-2").put("one.zst", bytes)).rejects.toThrow("403: <Code>SignatureDoesNotMatch");
  const { objects, requests, refused } = await server.seen();
  expect(objects).toEqual({ "/cw/a%20b/one.zst": 1000 });
  expect(requests.slice(0, 2)).toEqual(["PUT /cw/a%20b/one.zst", "GET /cw/a%20b/one.zst bytes=100-149"]);
  expect(refused).toBe(1);
});
