import { describe, expect, test } from "vitest";
import { parseSocketMessage, topicKey } from "./wire.ts";

describe("socket messages", () => {
  test("[NET-5] a frame is a message only as an object with a text event and text names", () => {
    expect(parseSocketMessage('{"event":"pong"}')).toEqual({ event: "pong" });
    expect(parseSocketMessage('{"event":"data","channel":"depth","biz":null,"data":[1]}')).toEqual({
      event: "data",
      channel: "depth",
      data: [1],
    });
    for (const text of [
      "",
      "[]",
      "null",
      "3",
      '"x"',
      "{}",
      '{"event":1}',
      '{"event":"data","channel":7}',
      '{"event":"data","sequence":"7"}',
      '{"event":"data","sequence":7,"firstSequence":1.5}',
      "{",
    ]) {
      expect(parseSocketMessage(text)).toBeUndefined();
    }
  });

  test("[NET-5] equal topics have one key, different topics have different keys", () => {
    expect(topicKey({ channel: "depth", biz: "spot" })).toBe(topicKey({ biz: "spot", channel: "depth" }));
    expect(topicKey({ channel: "depth", biz: "spot" })).not.toBe(topicKey({ channel: "depth", type: "spot" }));
  });
});
