// What the caller of a command receives, whatever else the command's step contained.
import { coreOf } from "@clockwork/core/machine/machine";
import { COMMANDS, type Command } from "@clockwork/core/protocol/command";
import { createStage } from "@clockwork/core/testing/stage";
import type { Ack } from "@clockwork/host/engine";
import { expect, test } from "vitest";
import { makeAck } from "./ack.ts";

test("[ENGINE-1] a rejection is reported as one, though assets are revalued in the same command", () => {
  const stage = createStage();
  const account = stage.trader(1_000, 500);
  const answer = (command: Command): Ack => {
    const before = stage.time;
    stage.time += 20_000;
    stage.send({ kind: "setReferencePrice", market: stage.market, indexTicks: 100 + (stage.time % 7) });
    stage.time += 70_000;
    const { events } = coreOf(stage.machine);
    stage.send(command);
    const bytes = events.bytes.slice(events.from, events.from + events.length);
    return makeAck(bytes, new DataView(bytes.buffer), 0, bytes.length, COMMANDS[command.kind].kind, before);
  };
  const burn = { kind: "burn", account, asset: stage.quote, business: "withdrawal" } as const;
  const refused = answer({ ...burn, units: 600, reference: "much" });
  expect(refused.events.map(({ kind }) => kind)).toEqual(["clock", "assetValued", "rejected"]);
  expect(refused).toMatchObject({ done: false, code: "INSUFFICIENT_BALANCE" });
  expect(answer({ ...burn, units: 500, reference: "all" }).done).toBe(true);
});
