// What the signer signs, decided and recorded in its own file: allowed shapes, listed coins, bounded amounts, one
// payment for each key and one for each number of the hot wallet. The exchange cannot override it.
import { DatabaseSync } from "node:sqlite";
import { touchPrivate } from "@clockwork/host/private-files";
import { wallMs } from "@clockwork/host/time/measure";
import { batchGas, PARTS_MAX } from "@clockwork/kit/chains/batch";
import type { SignerCoin, SignerNetwork, SignerPart, SignerRefusal, SignerRequest } from "./signer-wire.ts";

const GAS_MAX = 300_000n;
const FEE_MAX = 1_000_000_000_000n;
/** A top-up is gas for one sweep, never a payment. */
const TOP_UP_MAX = 50_000_000_000_000_000n;
const DAY_MS = 86_400_000;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const WHOLE = /^[1-9][0-9]{0,77}$/;

type AskOf<Kind extends SignerRequest["kind"]> = Extract<SignerRequest, { readonly kind: Kind }>;

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
    this.#database.exec(
      "CREATE TABLE IF NOT EXISTS part (key TEXT PRIMARY KEY, batch TEXT NOT NULL, place INTEGER NOT NULL, receiver TEXT NOT NULL, units TEXT NOT NULL, UNIQUE (batch, place))",
    );
    this.#networks = new Map(networks.map((network) => [network.network, network]));
  }

  networkOf(network: string): SignerNetwork | undefined {
    return this.#networks.get(network);
  }

  coinOf(network: string, asset: string): SignerCoin | undefined {
    return this.#networks.get(network)?.coins.find((coin) => coin.asset === asset);
  }

  /** The allowance of the batch payout contract: the daily limit of a token, so that a fault of it is bounded. */
  allowanceOf({ network, asset, isReset }: AskOf<"allow">): bigint {
    return isReset ? 0n : BigInt(this.coinOf(network, asset)?.dayMax ?? "0");
  }

  /** Undefined when it may be signed; then it is also recorded. `receiver` and `own` in lower case. */
  decide(ask: SignerRequest, receiver: string, own: readonly string[]): SignerRefusal | undefined {
    const network = this.#networks.get(ask.network);
    if (network === undefined) return "POLICY_NETWORK";
    if (BigInt(ask.maxFee) > FEE_MAX || BigInt(ask.tip) > BigInt(ask.maxFee)) return "POLICY_FEE";
    if (ask.kind === "payMany") return this.#decideMany(ask, network, own);
    if (BigInt(ask.gas) > GAS_MAX) return "POLICY_FEE";
    if (ask.kind === "sweep") return this.coinOf(ask.network, ask.asset) === undefined ? "POLICY_COIN" : undefined;
    if (ask.kind === "allow") return this.#decideAllow(ask, network);
    const units = BigInt(ask.units);
    if (ask.kind === "topUp") {
      if (units > TOP_UP_MAX) return "POLICY_PAYMENT_MAX";
      const asset = network.coins.find(({ contract }) => contract === null)?.asset ?? "";
      return this.#remember(ask.key, { network: ask.network, asset, receiver, units: ask.units, nonce: ask.nonce });
    }
    const coin = this.coinOf(ask.network, ask.asset);
    if (coin === undefined) return "POLICY_COIN";
    if (!isOutside(receiver, network, own)) return "POLICY_RECEIVER";
    const row = { network: ask.network, asset: ask.asset, receiver, units: ask.units, nonce: ask.nonce };
    return this.#findExcess(ask.key, coin, row) ?? this.#remember(ask.key, row);
  }

  /** Each part as if it left separately, and the sum as one payment. */
  #decideMany(ask: AskOf<"payMany">, network: SignerNetwork, own: readonly string[]): SignerRefusal | undefined {
    const coin = this.coinOf(ask.network, ask.asset);
    if (coin === undefined) return "POLICY_COIN";
    const { payoutContract } = network;
    const parts = ask.parts.map((part) => ({ ...part, to: part.to.toLowerCase() }));
    const keys = new Set([ask.key, ...parts.map(({ key }) => key)]);
    if (payoutContract === null || parts.length < 2 || parts.length > PARTS_MAX) return "POLICY_SHAPE";
    if (keys.size !== parts.length + 1 || keys.has("") || parts.some(({ units }) => !WHOLE.test(units)))
      return "POLICY_SHAPE";
    if (BigInt(ask.gas) > batchGas(coin.contract !== null, parts.length)) return "POLICY_FEE";
    if (!parts.every(({ to }) => isOutside(to, network, own))) return "POLICY_RECEIVER";
    const sum = parts.reduce((all, { units }) => all + BigInt(units), 0n).toString();
    const { nonce } = ask;
    const row = { network: ask.network, asset: ask.asset, receiver: payoutContract, units: sum, nonce };
    const excess = this.#findExcess(ask.key, coin, row);
    if (excess !== undefined) return excess;
    this.#database.exec("BEGIN IMMEDIATE");
    let refusal: SignerRefusal | undefined = "POLICY_CHANGED";
    try {
      const isNew = this.#find(ask.key) === undefined;
      refusal = this.#remember(ask.key, row) ?? (isNew ? this.#addParts(ask.key, parts) : this.#isSame(ask.key, parts));
    } finally {
      this.#database.exec(refusal === undefined ? "COMMIT" : "ROLLBACK");
    }
    return refusal;
  }

  #decideAllow(ask: AskOf<"allow">, { payoutContract }: SignerNetwork): SignerRefusal | undefined {
    const coin = this.coinOf(ask.network, ask.asset);
    if (coin === undefined) return "POLICY_COIN";
    if (payoutContract === null || coin.contract === null) return "POLICY_SHAPE";
    // It moves nothing and does not count towards the daily limit.
    const row = { network: ask.network, asset: `allow ${ask.asset}`, receiver: payoutContract, nonce: ask.nonce };
    return this.#remember(ask.key, { ...row, units: this.allowanceOf(ask).toString() });
  }

  #findExcess(key: string, coin: SignerCoin, { network, asset, units }: PaymentRow): SignerRefusal | undefined {
    const sum = BigInt(units);
    if (sum <= 0n || sum > BigInt(coin.paymentMax)) return "POLICY_PAYMENT_MAX";
    const isNew = this.#find(key) === undefined;
    return isNew && this.#paidToday(network, asset) + sum > BigInt(coin.dayMax) ? "POLICY_DAY_MAX" : undefined;
  }

  /** A payment that left separately, or in a batch, leaves in no other batch. */
  #addParts(batch: string, parts: readonly SignerPart[]): SignerRefusal | undefined {
    const insert = this.#database.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)");
    for (const [place, { key, to, units }] of parts.entries()) {
      if (this.#find(key) !== undefined || this.#isPart(key)) return "POLICY_CHANGED";
      insert.run(key, batch, place, to, units);
    }
    return undefined;
  }

  #isSame(batch: string, parts: readonly SignerPart[]): SignerRefusal | undefined {
    const sql = "SELECT key, receiver AS 'to', units FROM part WHERE batch = ? ORDER BY place";
    const known = this.#database.prepare(sql).all(batch) as unknown as readonly SignerPart[];
    const plain = (list: readonly SignerPart[]) => JSON.stringify(list.map(({ key, to, units }) => [key, to, units]));
    return plain(known) === plain(parts) ? undefined : "POLICY_CHANGED";
  }

  #isPart(key: string): boolean {
    return this.#database.prepare("SELECT key FROM part WHERE key = ?").get(key) !== undefined;
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
    if (this.#isPart(key)) return "POLICY_CHANGED";
    const taken = this.#database
      .prepare("SELECT key FROM payment WHERE network = ? AND nonce = ?")
      .get(row.network, row.nonce);
    if (taken !== undefined) return "POLICY_NONCE";
    const values = [key, row.network, row.asset, row.receiver, row.units, row.nonce, today()] as const;
    this.#database.prepare("INSERT INTO payment VALUES (?, ?, ?, ?, ?, ?, ?)").run(...values);
    return undefined;
  }
}

/** Neither an exchange address nor a listed contract: funds sent there would be lost. */
function isOutside(receiver: string, network: SignerNetwork, own: readonly string[]): boolean {
  const contracts = [...network.coins.map(({ contract }) => contract), network.payoutContract];
  return ADDRESS.test(receiver) && !own.includes(receiver) && !contracts.includes(receiver);
}

function today(): number {
  return Math.floor(wallMs() / DAY_MS);
}
