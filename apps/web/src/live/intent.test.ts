// One intent, one id: the same press again after a lost answer is the same action.
import { afterEach, expect, test, vi } from "vitest";
import { type Answer, fail } from "./answer.ts";
import { INTENT_KEPT_MS, sendIntent } from "./intent.ts";

const done: Answer<null> = { ok: true, code: 200, data: null, message: "" };
const refusal = (status: number): Answer<null> => fail("refused", "no", { status });

/** A form whose answers are given one after the other; returns the ids sent. */
function openForm(form: string, answers: readonly Answer<null>[]) {
  const ids: string[] = [];
  let minted = 0;
  const press = async (contents: object, nowMs = 0) => {
    const mint = () => {
      minted += 1;
      return `id-${minted}`;
    };
    await sendIntent(form, contents, { mint, nowMs }, async (id) => {
      const answer = answers[ids.length] ?? done;
      ids.push(id);
      return answer;
    });
    return ids;
  };
  return press;
}

test.each([
  ["network", fail("network", "gone")],
  ["timeout", fail("timeout", "late")],
  ["malformed", fail("malformed", "half")],
  ["aborted", fail("aborted", "left")],
  ["a fault of the server", refusal(503)],
  ["too many calls", refusal(429)],
  ["a session that ended", refusal(401)],
  ["a refusal at the door", refusal(403)],
])("[WAL-1] a press repeated after %s keeps its id until it is answered", async (what, lost) => {
  const press = openForm(`lost ${what}`, [lost, lost]);
  await press({ amount: "1" });
  await press({ amount: "1" });
  await press({ amount: "1" });
  expect(await press({ amount: "1" })).toEqual(["id-1", "id-1", "id-1", "id-2"]);
});

test("[WAL-1] a refusal decides, and other contents are another intent", async () => {
  const press = openForm("refused", [refusal(422), fail("network", "gone")]);
  await press({ amount: "1" });
  await press({ amount: "1" });
  expect(await press({ amount: "2" })).toEqual(["id-1", "id-2", "id-3"]);
});

test("[WAL-1] what was never answered is meant anew after a while", async () => {
  const press = openForm("old", [fail("timeout", "late"), fail("timeout", "late")]);
  await press({ amount: "1" }, 0);
  await press({ amount: "1" }, INTENT_KEPT_MS - 1);
  expect(await press({ amount: "1" }, INTENT_KEPT_MS)).toEqual(["id-1", "id-1", "id-2"]);
});

test("[WAL-1] another intent in between does not make the first one new", async () => {
  const lost = fail("network", "gone");
  const press = openForm("both", [lost, lost]);
  await press({ side: "buy" });
  await press({ side: "sell" });
  expect(await press({ side: "buy" })).toEqual(["id-1", "id-2", "id-1"]);
});

test("[WAL-1] a lost answer keeps its id through refusals that say nothing of it", async () => {
  const press = openForm("mixed", [fail("network", "gone"), refusal(429), refusal(401), refusal(422)]);
  for (let count = 0; count < 4; count++) await press({ amount: "1" });
  expect(await press({ amount: "1" })).toEqual(["id-1", "id-1", "id-1", "id-1", "id-2"]);
});

afterEach(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
});

test.each([
  ["keeps", undefined, "id-1"],
  ["forgets", "[[1,2],{}]", "other"],
  ["does not trip over", "{", "other"],
])("[WAL-1] a page loaded anew %s what the one before it left undecided", async (_, kept, id) => {
  const texts = new Map<string, string>();
  const sessionStorage = { getItem: (key: string) => texts.get(key) ?? null, setItem: texts.set.bind(texts) };
  Object.assign(globalThis, { sessionStorage });
  const ask = async (mint: string, answer: Answer<null>): Promise<string> => {
    vi.resetModules();
    const page = await import("./intent.ts");
    let sent = "";
    await page.sendIntent("reload", { amount: "1" }, { mint: () => mint, nowMs: 0 }, async (given) => {
      sent = given;
      return answer;
    });
    return sent;
  };
  await ask("id-1", fail("network", "gone"));
  for (const key of texts.keys()) if (kept !== undefined) texts.set(key, kept);
  expect(await ask("other", done)).toBe(id);
  expect(await ask("new", done)).toBe("new");
});

test("[WAL-1] two forms do not share an id", async () => {
  const lost = fail("network", "gone");
  const [one, two] = [openForm("one", [lost]), openForm("two", [lost])];
  await one({ amount: "1" });
  expect(await two({ amount: "1" })).toEqual(["id-1"]);
});
