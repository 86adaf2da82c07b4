// Accounts that change leverage, margin mode and margins while they hold, order and lose, beside what plain sums over their
// positions and orders allow: every refusal with its limit, every margin to the unit, and nobody ended early or late.
import { isLiquidatable } from "@clockwork/kit/margin";
import { tiersA } from "@clockwork/kit/margin-tiers";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { tiersCommand } from "../../protocol/listing-command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { changeLeverage, changeMargin, changeMode, edgesOf, type Outcome } from "./settings-fixture.ts";
import { holdingsOf, isDue, NOTHING, type Standing, Watched } from "./standing-fixture.ts";

const LEVERAGES = [0, 0, 1, 2, 5, 10, 20, 25, 50, 100, 125, 126, -1] as const;

const MET = [
  ...["INSUFFICIENT_MARGIN", "INVALID_AMOUNT", "MARGIN_NOT_ISOLATED", "MARGIN_UNHEALTHY", "UNKNOWN_POSITION"].map(
    (code) => `changeMargin ${code}`,
  ),
  ...["INSUFFICIENT_MARGIN", "INVALID_LEVERAGE", "POSITION_LIMIT"].map((code) => `setLeverage ${code}`),
  ...["changeMargin", "setLeverage", "setMarginMode", "setMarginMode MARGIN_UNHEALTHY", "ended"],
];

function listOther(stage: PerpStage): number {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const more = { slippageBps: 200, feeGroup: 1, symbol: "OTHER" } as const;
  const listed = stage.sure({ kind: "listMarket", marketKind: "linear", ...shape, ...more });
  const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
  stage.sure(tiersCommand(market, tiersA(6)));
  stage.sure({ kind: "setReferencePrice", market, markTicks: 500_000, indexTicks: 500_000 });
  return market;
}

class Twins {
  readonly #stage = createPerpStage();
  readonly #random;
  readonly #other = listOther(this.#stage);
  readonly #bob = this.#stage.trader(10 ** 14);
  readonly #alice: number;
  readonly #own: Watched;
  #auto = false;
  readonly seen = new Map<string, number>();

  constructor(seed: number) {
    this.#random = createRandom(seed);
    this.#alice = this.#stage.trader(this.#random.pick([5_000, 50_000, 1_000_000]) * 1_000_000);
    const isHedge = seed % 2 === 0;
    this.#own = new Watched(this.#stage, this.#alice, this.#stage.linear, isHedge);
    // Whoever has no market yet changes modes too.
    if (isHedge) this.#stage.sure({ kind: "setPositionMode", account: this.#alice, hedge: true });
  }

  #note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #standing(market: number): Standing {
    return this.#own.standing(market);
  }

  #trade(): void {
    const market = !this.#own.hasOrders && this.#random.chance(1, 4) ? this.#other : this.#stage.linear;
    const [side, against] = this.#random.pick([
      ["buy", "sell"],
      ["sell", "buy"],
    ] as const);
    const lots = this.#random.pick([1, 7, 100, 900, 3_000, 9_000]);
    const price = this.#standing(market).mark;
    const reduces = this.#own.hedge && this.#random.chance(1, 3) ? { reduceOnly: true } : {};
    this.#own.follow(this.#stage.send({ kind: "cancelAll", account: this.#bob }));
    this.#own.follow(this.#stage[against](this.#bob, lots, price, { market }));
    this.#own.follow(this.#stage[side](this.#alice, lots, price, { market, timeInForce: "IOC", ...reduces }));
  }

  #order(): void {
    const side = this.#random.pick(["buy", "sell"] as const);
    const away = this.#random.between(1_500, 9_000);
    const price = this.#standing(this.#stage.linear).mark + (side === "buy" ? -away : away);
    this.#own.follow(
      this.#stage[side](this.#alice, this.#random.pick([3, 50, 400, 2_000]), price, { postOnly: "reject" }),
    );
  }

  #move(): void {
    const market = this.#random.pick([this.#stage.linear, this.#stage.linear, this.#other]);
    const mark = this.#standing(market).mark + this.#random.between(-13_000, 13_000);
    const after = (one: number): Standing => ({ ...this.#standing(one), ...(one === market ? { mark } : {}) });
    const [own, other] = [after(this.#stage.linear), after(this.#other)];
    const alone = own.isolated ? own.sides : [];
    const ended =
      isDue(this.#own.wallet, [own, other]) ||
      alone.some((side) => isLiquidatable(BigInt(side.margin), holdingsOf({ ...own, sides: [side, NOTHING] })));
    const events = this.#own.follow(this.#stage.mark(market, mark));
    const published = eventsOf(events, "liquidationStarted").filter(({ account }) => account === this.#alice);
    if (!this.#auto) expect(published.length > 0).toBe(ended);
    if (ended) this.#note("ended");
  }

  #give(): void {
    const money = { asset: this.#stage.usdt, business: "deposit", units: 3_000_000_000 } as const;
    const reference = `more:${this.#stage.machine.sequence}`;
    this.#stage.sure({ kind: "mint", account: this.#alice, ...money, reference });
  }

  /** The command does what was reckoned, tells it, and changes nothing else. */
  #compare(command: Command, wanted: Outcome): boolean {
    const { linear } = this.#stage;
    const before = this.#standing(linear);
    const wealth = this.#stage.balance(this.#alice);
    const events = this.#stage.sure(command);
    const published = eventsOf(events, "rejected").map(({ code, limit }) => ({ code, limit }));
    const after = this.#standing(linear);
    const margins = "margins" in wanted ? wanted.margins : before.sides.map(({ margin }) => margin);
    expect([published, after.sides.map(({ margin }) => margin)]).toEqual(["code" in wanted ? [wanted] : [], margins]);
    const set = margins.reduce((sum, margin) => sum + margin, 0) - wealth.frozen;
    expect(this.#stage.balance(this.#alice)).toEqual({
      available: wealth.available - set,
      frozen: wealth.frozen + set,
    });
    this.#note("code" in wanted ? `${command.kind} ${wanted.code}` : command.kind);
    if ("code" in wanted) expect(events.filter(({ kind }) => kind === "perpSettings")).toEqual([]);
    return !("code" in wanted);
  }

  #checkAnswers(changed: boolean): void {
    const events = this.#last;
    const { linear: market } = this.#stage;
    const { sides } = this.#standing(market);
    const [leverageLong, leverageShort] = this.#own.leverage;
    expect(eventsOf(events, "perpSettings")).toMatchObject([
      {
        account: this.#alice,
        market,
        isolated: this.#own.isolated,
        hedge: this.#own.hedge,
        split: false,
        autoAppend: this.#auto,
        leverageLong,
        leverageShort,
      },
    ]);
    const open = sides
      .map((side, i) => ({ side, leverage: this.#own.leverage[i] }))
      .filter(({ side }) => side.lots !== 0);
    expect(eventsOf(events, "positionChanged")).toMatchObject(
      (changed ? open : []).map(({ side, leverage }) => ({
        account: this.#alice,
        market,
        leverage,
        lots: side.lots,
        costUnits: side.cost,
        marginUnits: side.margin,
        realizedUnits: 0,
      })),
    );
  }

  #last: readonly MachineEvent[] = [];

  #set(): void {
    const { linear: market, machine } = this.#stage;
    const account = this.#alice;
    const [own, other] = [this.#standing(market), this.#standing(this.#other)];
    const wallet = this.#own.wallet;
    const from = machine.sequence;
    const send = this.#stage.sure;
    this.#stage.sure = (command) => {
      this.#last = send(command);
      return [...this.#last];
    };
    const dice = this.#random.below(8);
    if (dice < 3) {
      const [long, short] = [this.#random.pick(LEVERAGES), this.#random.pick(LEVERAGES)];
      const isDone = this.#compare(
        { kind: "setLeverage", account, market, long, short },
        changeLeverage(wallet, own, other, [long, short]),
      );
      if (isDone) {
        const one = long === 0 ? own.leverage[0] : long;
        this.#own.leverage = [one, short !== 0 ? short : long === 0 ? own.leverage[1] : long];
        this.#checkAnswers(own.isolated);
      }
    } else if (dice < 5) {
      const isolated = this.#random.chance(3, 4);
      const isDone = this.#compare(
        { kind: "setMarginMode", account, market, isolated },
        changeMode(wallet, own, other, isolated),
      );
      if (isDone) {
        const changed = this.#own.isolated !== isolated;
        this.#own.isolated = isolated;
        this.#checkAnswers(changed);
      }
    } else if (dice < 7 && (own.isolated || this.#random.chance(1, 6))) this.#changeMargin(wallet, own, other);
    else if (this.#random.chance(1, 4)) {
      this.#auto = !this.#auto;
      this.#stage.sure({ kind: "setAutoAppend", account, market, on: this.#auto });
      this.#checkAnswers(false);
    }
    this.#stage.sure = send;
    expect(machine.sequence - from).toBeLessThan(2);
  }

  #changeMargin(wallet: number, own: Standing, other: Standing): void {
    const at = this.#own.hedge ? this.#random.pick([0, 1] as const) : 0;
    const side = this.#own.hedge ? { side: at === 0 ? ("long" as const) : ("short" as const) } : {};
    const units = this.#random.pick(edgesOf(wallet, own, other, at));
    const { linear: market } = this.#stage;
    const command = { kind: "changeMargin", account: this.#alice, market, units, ...side } as const;
    if (!this.#compare(command, changeMargin(wallet, own, other, at, units))) return;
    expect(eventsOf(this.#last, "marginChanged")).toMatchObject([
      {
        account: this.#alice,
        market,
        automatic: false,
        deltaUnits: units,
        marginUnits: this.#standing(market).sides[at].margin,
      },
    ]);
  }

  step(): void {
    const dice = this.#random.below(20);
    if (dice < 4 || this.#own.isFlat) this.#trade();
    else if (dice < 6) this.#order();
    else if (dice < 7) this.#own.follow(this.#stage.sure({ kind: "cancelAll", account: this.#alice }));
    else if (dice < 10) this.#move();
    else if (dice < 12 && this.#own.wallet < 3_000_000_000) this.#give();
    else this.#set();
  }
}

test("[FUT-2] settings change as far as plain sums over positions and orders allow, and nobody is ended early or late", () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 6; seed++) {
    const twins = new Twins(seed);
    for (let i = 0; i < 100; i++) twins.step();
    for (const [what, times] of twins.seen) seen.set(what, (seen.get(what) ?? 0) + times);
  }
  expect([...seen].filter(([, times]) => times > 0).map(([what]) => what)).toEqual(expect.arrayContaining(MET));
});
