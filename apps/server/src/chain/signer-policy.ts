// What the signer signs, decided by itself and remembered in its own file: known shapes, known coins, bounded amounts, one
// payment for each key and one for each number of the hot wallet. The exchange's word changes nothing here.
import { DatabaseSync } from "node:sqlite";
import { wallMs } from "../clock/measure.ts";
import { touchPrivate } from "../storage/private-files.ts";
import type { SignerAsk, SignerCoin, SignerNetwork, SignerRefusal } from "./signer-wire.ts";

const GAS_MAX = 300_000n;
const FEE_MAX = 1_000_000_000_000n;
/** A top-up is gas for one sweep, never a payment. */
const TOP_UP_MAX = 50_000_000_000_000_000n;
const DAY_MS = 86_400_000;

interface PaymentRow {
  readonly network: string;
  readonly asset: string;
  readonly receiver: string;
  readonly units: string;
  readonly nonce: number;
}

export class SignerPolicy {
  readonly #database: DatabaseSync;
  readonly #networks: ReadonlyMap<string, SignerNetwork>;

  constructor(path: string, networks: readonly SignerNetwork[]) {
    touchPrivate(path);
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS payment (key TEXT PRIMARY KEY, network TEXT NOT NULL, asset TEXT NOT NULL, receiver TEXT NOT NULL, units TEXT NOT NULL, nonce INTEGER NOT NULL, day INTEGER NOT NULL, UNIQUE (network, nonce))",
    );
    this.#networks = new Map(networks.map((network) => [network.network, network]));
  }

  networkOf(network: string): SignerNetwork | undefined {
    return this.#networks.get(network);
  }

  coinOf(network: string, asset: string): SignerCoin | undefined {
    return this.#networks.get(network)?.coins.find((coin) => coin.asset === asset);
  }

  /** Nothing when it may be signed; then it is also remembered. `receiver` and `own` in lower case. */
  decide(ask: SignerAsk, receiver: string, own: readonly string[]): SignerRefusal | undefined {
    const network = this.#networks.get(ask.network);
    if (network === undefined) return "POLICY_NETWORK";
    if (BigInt(ask.gas) > GAS_MAX || BigInt(ask.maxFee) > FEE_MAX || BigInt(ask.tip) > BigInt(ask.maxFee))
      return "POLICY_FEE";
    if (ask.kind === "sweep") return this.coinOf(ask.network, ask.asset) === undefined ? "POLICY_COIN" : undefined;
    const units = BigInt(ask.units);
    if (ask.kind === "topUp") {
      if (units > TOP_UP_MAX) return "POLICY_PAYMENT_MAX";
      const asset = network.coins.find(({ contract }) => contract === null)?.asset ?? "";
      return this.#remember(ask.key, { network: ask.network, asset, receiver, units: ask.units, nonce: ask.nonce });
    }
    const coin = this.coinOf(ask.network, ask.asset);
    if (coin === undefined) return "POLICY_COIN";
    const contracts = network.coins.flatMap(({ contract }) => contract ?? []);
    if (!/^0x[0-9a-f]{40}$/.test(receiver) || [...own, ...contracts].includes(receiver)) return "POLICY_RECEIVER";
    if (units <= 0n || units > BigInt(coin.paymentMax)) return "POLICY_PAYMENT_MAX";
    const row = { network: ask.network, asset: ask.asset, receiver, units: ask.units, nonce: ask.nonce };
    const known = this.#find(ask.key);
    if (known === undefined && this.#paidToday(ask.network, ask.asset) + units > BigInt(coin.dayMax))
      return "POLICY_DAY_MAX";
    return this.#remember(ask.key, row);
  }

  #find(key: string): PaymentRow | undefined {
    const sql = "SELECT network, asset, receiver, units, nonce FROM payment WHERE key = ?";
    return this.#database.prepare(sql).get(key) as unknown as PaymentRow | undefined;
  }

  #paidToday(network: string, asset: string): bigint {
    const sql = "SELECT units FROM payment WHERE network = ? AND asset = ? AND day = ?";
    const rows = this.#database.prepare(sql).all(network, asset, today()) as unknown as { units: string }[];
    return rows.reduce((sum, { units }) => sum + BigInt(units), 0n);
  }

  #remember(key: string, row: PaymentRow): SignerRefusal | undefined {
    const known = this.#find(key);
    if (known !== undefined) {
      const isSame = (Object.keys(row) as (keyof PaymentRow)[]).every((name) => known[name] === row[name]);
      return isSame ? undefined : "POLICY_CHANGED";
    }
    const taken = this.#database
      .prepare("SELECT key FROM payment WHERE network = ? AND nonce = ?")
      .get(row.network, row.nonce);
    if (taken !== undefined) return "POLICY_NONCE";
    const values = [key, row.network, row.asset, row.receiver, row.units, row.nonce, today()] as const;
    this.#database.prepare("INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?)").run(...values);
    return undefined;
  }
}

function today(): number {
  return Math.floor(wallMs() / DAY_MS);
}
