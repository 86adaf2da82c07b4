import { SILENT_LOG } from "@clockwork/host/log";
import { buildApp } from "@clockwork/server/http/app";
import { testConfig } from "@clockwork/server/http/app-fixture";
import sharp from "sharp";
import { expect, test } from "vitest";
import { mountPairPictures } from "./pair-picture.ts";

const PAIR = { pairCode: "BTC_USDT", base: "BTC", quote: "USDT", isSimulated: true };

test("[SITE-21] a pair has a picture of the size sharing sites require, drawn once a minute; no other has", async () => {
  const app = await buildApp({ config: testConfig(), log: SILENT_LOG });
  let requested = 0;
  let nowMs = 0;
  const service = {
    listPairs: () => [PAIR],
    listQuotations: () => {
      requested += 1;
      return [{ pairCode: "BTC_USDT", last: "96420.3", changePercent: "-1.25" }];
    },
    listSparklines: () => [{ pairCode: "BTC_USDT", points: ["1", "3", "2"] }],
  };
  mountPairPictures(app, { service: service as never, clock: () => nowMs });
  const first = await app.inject({ url: "/pictures/pairs/BTC_USDT.png" });
  expect([first.statusCode, first.headers["content-type"]]).toEqual([200, "image/png"]);
  expect(await sharp(first.rawPayload).metadata()).toMatchObject({ format: "png", width: 1_200, height: 630 });
  await app.inject({ url: "/pictures/pairs/BTC_USDT.png" });
  expect(requested).toBe(1);
  nowMs = 61_000;
  await app.inject({ url: "/pictures/pairs/BTC_USDT.png" });
  expect(requested).toBe(2);
  for (const file of ["NO_PAIR.png", "BTC_USDT.svg", "..%2f..%2fetc"]) {
    expect((await app.inject({ url: `/pictures/pairs/${file}` })).statusCode).toBe(404);
  }
  await app.close();
});
