// The worked examples of the texts about futures, computed by the functions the exchange itself uses, so that a text
// can never give another figure than the screen.
import { CONTRACT_MAKER_RATE, CONTRACT_TAKER_RATE } from "@clockwork/kit/contract-catalogue";
import { decimalText, groupThousands, trimZeros } from "@clockwork/kit/decimal";
import { divideCeil, type Fraction, floorFraction } from "@clockwork/kit/fraction";
import {
  bankruptcyPrice,
  type Contract,
  deleverageScore,
  fundingCharge,
  type Holding,
  initialMarginCeil,
  liquidationPrice,
  maintenanceCeil,
  profitFloor,
  RATE_ONE_WIDE,
  valueCeil,
} from "@clockwork/kit/margin";
import { tiersA, tiersInverse } from "@clockwork/kit/margin-tiers";

const USDT_SCALE = 6;
const BTC_SCALE = 8;
const PRICE_SCALE = 1;
const RATE = BigInt(CONTRACT_TAKER_RATE);

/** Lots of a thousandth of a coin, prices in tenths. */
const LINEAR: Contract = { kind: "linear", factor: 100n, tiers: tiersA(USDT_SCALE), liquidationRate: RATE };
/** Lots of 100 USD, prices in tenths. */
const INVERSE: Contract = {
  kind: "inverse",
  factor: 100n * 10n * 10n ** BigInt(BTC_SCALE),
  tiers: tiersInverse("BTC", BTC_SCALE),
  liquidationRate: RATE,
};

const ONE_BTC = 1_000n;
const ENTRY = 500_000n;
const FUNDING_RATE = 10_000n;

function hold(contract: Contract, side: 1n | -1n, lots: bigint, ticks: bigint): Holding {
  return { side, lots, cost: valueCeil(contract, lots, ticks) };
}

const usdt = (units: bigint): string => plain(decimalText(units, USDT_SCALE));
const btc = (units: bigint): string => plain(decimalText(units, BTC_SCALE));
const plain = (text: string): string => groupThousands(text.includes(".") ? trimZeros(text) : text);
const price = (exact: Fraction | undefined): string =>
  exact === undefined ? "none" : plain(decimalText(floorFraction(exact), PRICE_SCALE));
const percent = (rate: bigint): string => `${plain(decimalText(rate, 6))} %`;

function linearFacts(): Record<string, string> {
  const long = hold(LINEAR, 1n, ONE_BTC, ENTRY);
  const short = hold(LINEAR, -1n, ONE_BTC, ENTRY);
  const isolated = (leverage: bigint, holding: Holding = long) => {
    const margin = initialMarginCeil(holding.cost, leverage);
    return {
      margin,
      liquidation: liquidationPrice(LINEAR, margin, holding),
      bankruptcy: bankruptcyPrice(LINEAR, margin, holding),
    };
  };
  const wallet = 10_000n * 10n ** BigInt(USDT_SCALE);
  const large = 12_000n;
  return {
    exampleTwentyMargin: usdt(isolated(20n).margin),
    exampleTwentyLiquidation: price(isolated(20n).liquidation),
    exampleTwentyBankruptcy: price(isolated(20n).bankruptcy),
    exampleShortLiquidation: price(isolated(20n, short).liquidation),
    exampleTenMargin: usdt(isolated(10n).margin),
    exampleTenLiquidation: price(isolated(10n).liquidation),
    exampleHundredMargin: usdt(isolated(100n).margin),
    exampleHundredLiquidation: price(isolated(100n).liquidation),
    exampleMaintenance: usdt(maintenanceCeil(LINEAR, ONE_BTC, ENTRY)),
    exampleOpenFee: usdt(divideCeil(long.cost * RATE, RATE_ONE_WIDE)),
    exampleProfit: usdt(profitFloor(LINEAR, long, 510_000n)),
    exampleAddedLiquidation: price(liquidationPrice(LINEAR, isolated(20n).margin + wallet / 20n, long)),
    exampleCrossLiquidation: price(liquidationPrice(LINEAR, wallet, long)),
    exampleLargeMaintenance: usdt(maintenanceCeil(LINEAR, large, ENTRY)),
    exampleFunding: usdt(fundingCharge(LINEAR, 1n, ONE_BTC, ENTRY, FUNDING_RATE)),
    exampleFundingRate: percent(FUNDING_RATE),
    contractMakerRate: percent(BigInt(CONTRACT_MAKER_RATE)),
    contractTakerRate: percent(RATE),
  };
}

function inverseFacts(): Record<string, string> {
  const lots = 600n;
  const long = hold(INVERSE, 1n, lots, ENTRY);
  const margin = initialMarginCeil(long.cost, 10n);
  const short = hold(INVERSE, -1n, lots, ENTRY);
  return {
    exampleInverseCost: btc(long.cost),
    exampleInverseMargin: btc(margin),
    exampleInverseLiquidation: price(liquidationPrice(INVERSE, margin, long)),
    exampleInverseBankruptcy: price(bankruptcyPrice(INVERSE, margin, long)),
    exampleInverseProfit: btc(profitFloor(INVERSE, long, 550_000n)),
    exampleInverseBacked: price(liquidationPrice(INVERSE, initialMarginCeil(short.cost, 1n), short)),
  };
}

/** Two winners at one mark: the higher leverage comes first in the queue. */
function queueFacts(): Record<string, string> {
  const mark = 520_000n;
  const score = (leverage: bigint): string => {
    const holding = hold(LINEAR, 1n, ONE_BTC, ENTRY);
    const margin = initialMarginCeil(holding.cost, leverage);
    const { over, under } = deleverageScore(LINEAR, holding, mark, bankruptcyPrice(LINEAR, margin, holding));
    return decimalText((over * 1_000n) / under, 3);
  };
  return { exampleScoreFive: score(5n), exampleScoreFifty: score(50n) };
}

export function marginFacts(): Record<string, string> {
  return { ...linearFacts(), ...inverseFacts(), ...queueFacts() };
}
