// The right side of a withdrawal: exactly what leaves and arrives, whether it is reviewed and why, then its proof.
import type { AddressBook, Limits, WithdrawalList } from "@clockwork/custody/withdrawals/contract";
import {
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  trimZeros,
  writeDecimal,
} from "@clockwork/kit/decimal";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { roughTime } from "#shell/rough-time.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { ProofForm } from "./proof-form.tsx";
import { applyWithdrawal, sendWithdrawalCode } from "./withdraw-calls.ts";
import { decimalOf } from "./withdraw-model.ts";
import type { Choice } from "./withdraw-page.tsx";

export interface ReviewCardProps {
  readonly choice: Choice;
  readonly limits: Limits;
  readonly book: AddressBook;
  readonly withdrawals: WithdrawalList;
}

export function ReviewCard(props: ReviewCardProps) {
  const text = useWalletText();
  const { choice, limits } = props;
  const { asset, network, address, amount, look } = choice;
  const to = { asset, network: network?.network ?? "", address: address.trim(), amount };
  const isFine = choice.amountFault === undefined && choice.faults.amount === undefined;
  return (
    <Card title={text("withdraw.review")} className="xl:sticky xl:top-20">
      <Effect {...props} />
      <ProofForm
        limits={limits}
        isFilled={amount !== "" && address !== "" && network !== undefined && look.wrong === undefined && isFine}
        submit={text("withdraw.submit", { amount: amount === "" ? "" : formatCoins(amount), asset })}
        note={text(isWithin(choice) ? "withdraw.withinNote" : "withdraw.cancelNote")}
        done={text("withdraw.done")}
        send={(request, proof) => applyWithdrawal(request, to, proof)}
        sendCode={(request, captcha) => sendWithdrawalCode(request, to, captcha)}
        named={`${formatCoins(amount === "" ? "0" : amount)} ${asset} → ${shorten(to.address)}`}
        onRefused={choice.refuse}
        onDone={() => choice.setAmount("")}
      />
    </Card>
  );
}

const ENDS = 6;
const shorten = (address: string): string =>
  address.length <= 2 * ENDS ? address : `${address.slice(0, ENDS)}…${address.slice(-ENDS)}`;

/** Exact; nothing where less than nothing would be left. */
export function minus(left: string, right: string): string | undefined {
  const [from, less] = [parseDecimal(left), parseDecimal(right)];
  if (!from.ok || !less.ok) return undefined;
  const rest = subtractDecimals(from.value, less.value);
  return rest.units < 0n ? undefined : trimZeros(writeDecimal(rest));
}

/** To a user of this exchange, also the own account: over no network, and free. */
const isWithin = ({ look }: Choice): boolean => look.found !== undefined && look.found.way !== "network";

const feeOf = (choice: Choice): string | undefined => (isWithin(choice) ? "0" : choice.rules?.withdrawFee);

/** Exact, and nothing while there is nothing to say. */
function arrivesOf(choice: Choice): string | undefined {
  const fee = feeOf(choice);
  return choice.amount === "" || fee === undefined ? undefined : minus(choice.amount, fee);
}

const worthOf = ({ amount, price }: Choice): Decimal => multiplyDecimals(decimalOf(amount), decimalOf(price));

const SETTLED = ["QUEUED", "BROADCAST", "CONFIRMING", "DONE"];

/** Why it will be reviewed, as far as the browser can compute it; the exchange decides. */
function reviewOf({ choice, limits, withdrawals }: ReviewCardProps): "first" | "newAddress" | "large" | undefined {
  if (isWithin(choice)) return undefined;
  const gone = withdrawals.withdrawals.filter(({ state }) => SETTLED.includes(state));
  if (gone.length === 0) return "first";
  const known = gone.some(({ address }) => address?.toLowerCase() === choice.address.trim().toLowerCase());
  if (choice.address !== "" && !known) return "newAddress";
  return compareDecimals(worthOf(choice), decimalOf(limits.reviewUsdt)) > 0 ? "large" : undefined;
}

function Effect(props: ReviewCardProps) {
  const text = useWalletText();
  const { choice, book, limits } = props;
  const { asset, amount, network, address, held, price, look } = choice;
  const arrives = arrivesOf(choice);
  const isOwn = look.found?.way === "self";
  const left = amount === "" ? undefined : minus(held, isOwn ? "0" : amount);
  const shown = (value: string | undefined): string => (value === undefined ? "–" : formatCoins(value));
  const saved = book.addresses.find((one) => one.address === address && one.network === network?.network);
  const why = reviewOf(props);
  const limitLeft = minus(limits.leftUsdt, isOwn ? "0" : writeDecimal(worthOf(choice))) ?? "0";
  const seconds = network === undefined ? 0 : (network.unlockBlocks + 1) * network.blockSeconds;
  const expected = isWithin(choice) ? text("withdraw.atOnce") : text("withdraw.about", { time: roughTime(seconds) });
  const way = isWithin(choice) ? text("withdraw.within") : network?.name;
  return (
    <>
      <div className="rounded-control bg-surface p-4 dark:bg-bg">
        <p className="text-label text-muted">{text("withdraw.leaves")}</p>
        <p className="figures font-semibold text-[18px] text-text">
          {shown(amount === "" ? undefined : amount)} <span className="font-normal text-label text-muted">{asset}</span>
        </p>
        <Icon name="arrow-down" size={14} className="my-1 text-muted" />
        <p className="text-label text-muted">
          {text("withdraw.arrives")} {[saved?.name, way].filter((part) => part !== undefined).join(", ")}
        </p>
        <p className="figures font-semibold text-[18px] text-text">
          {shown(arrives)} <span className="font-normal text-label text-muted">{asset}</span>
        </p>
      </div>
      <dl className="mt-4 grid grid-cols-[1fr_auto] gap-y-2 text-ui">
        <dt className="text-muted">{text("withdraw.fee")}</dt>
        <dd className="figures text-right">
          {feeOf(choice) ?? "–"} {asset}
        </dd>
        <dt className="text-muted">{text("withdraw.left")}</dt>
        <dd className="figures text-right">
          {shown(left)} {asset}
        </dd>
        {price !== null && (
          <>
            <dt className="text-muted">{text("withdraw.limitLeft")}</dt>
            <dd className="figures text-right">{formatDecimal(limitLeft, { grouped: true, decimals: 2 })} USDT</dd>
          </>
        )}
        <dt className="text-muted">{text("withdraw.person")}</dt>
        <dd className="text-right">{text(why === undefined ? "withdraw.personNo" : `withdraw.person.${why}`)}</dd>
        <dt className="text-muted">{text("withdraw.expected")}</dt>
        <dd className="text-right">{expected}</dd>
      </dl>
      {look.found !== undefined && look.found.way !== "network" && (
        <p role="status" className="mt-3 rounded-control bg-accent-soft p-3 text-ui">
          {text(`withdraw.${look.found.way}`)}
        </p>
      )}
      {address !== "" && <Grouped address={look.found?.address ?? address.trim()} />}
    </>
  );
}

const GROUP = 4;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** In groups, the first and the last of them bold: users compare them. */
function Grouped({ address }: { readonly address: string }) {
  if (!ADDRESS.test(address)) {
    return <p className="mt-3 break-all rounded-control border border-line p-3 font-mono text-label">{address}</p>;
  }
  const groups = Array.from({ length: 10 }, (_, at) => {
    const from = 2 + at * GROUP;
    return { at, letters: `${at === 0 ? "0x" : ""}${address.slice(from, from + GROUP)}` };
  });
  return (
    <p className="mt-3 grid grid-cols-[auto_repeat(4,1fr)] gap-x-3 gap-y-1 rounded-control border border-line p-3 font-mono text-label">
      {groups.map(({ at, letters }) => (
        <span key={at} className={at === 0 || at === groups.length - 1 ? "font-semibold text-text" : "text-muted"}>
          {letters}
        </span>
      ))}
    </p>
  );
}
