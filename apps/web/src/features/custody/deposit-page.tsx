// `/wallet/deposit`: a coin, a network with its rules, the user's address, and deposits in progress.
import type { DepositAddress, DepositList, NetworkView } from "@clockwork/custody/custody/contract";
import { CHAIN_CALLS, CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Badge } from "@clockwork/ui/pill";
import { QrCode } from "@clockwork/ui/qr-code";
import { type ReactNode, useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { roughTime } from "#shell/rough-time.ts";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { DepositRows } from "./deposit-rows.tsx";

export interface DepositPageProps {
  readonly coins: readonly { readonly asset: string; readonly name: string }[];
  readonly networks: readonly NetworkView[];
  readonly deposits: DepositList;
}

const carries = (network: NetworkView, asset: string): boolean => network.coins.some((coin) => coin.asset === asset);

const REFRESH_MS = 4_000;

/** Networks change, and their newest block is on the page: requested again while the page is visible. */
function useNetworks(first: readonly NetworkView[]): readonly NetworkView[] {
  const calls = useCalls();
  const [networks, setNetworks] = useState(first);
  useEffect(() => {
    const ask = async () => {
      if (document.visibilityState !== "visible") return;
      const answer = await (await calls()).call(CUSTODY_CALLS.networks, {});
      if (answer.ok) setNetworks(answer.data);
    };
    const timer = setInterval(() => void ask(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [calls]);
  return networks;
}

export function DepositPage({ coins, networks: served, deposits }: DepositPageProps) {
  const text = useWalletText();
  const networks = useNetworks(served);
  const listed = coins.filter(({ asset }) => networks.some((network) => carries(network, asset)));
  const [asset, setAsset] = useState(listed[0]?.asset ?? "");
  const [code, setCode] = useState<string>();
  const open = networks.filter((network) => carries(network, asset));
  const chosen = open.find(({ network }) => network === code);
  return (
    <WalletFrame title={text("deposit.title")}>
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_320px]">
        <Card flush>
          <Step number={1} title={text("label.coin")}>
            <LateSelect
              label={text("label.coin")}
              labelHidden
              value={asset}
              onChange={setAsset}
              size={48}
              className="max-w-72"
              options={listed.map((coin) => ({
                id: coin.asset,
                title: coin.asset,
                detail: coin.name,
                glyph: <CoinGlyph code={coin.asset} size={20} />,
              }))}
            />
          </Step>
          <Step number={2} title={text("label.network")} aside={text("deposit.sameNetwork")}>
            <p
              aria-hidden="true"
              className="grid grid-cols-[20px_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_80px_70px] gap-x-3 px-2 pb-2 text-label text-muted max-md:hidden"
            >
              <span className="col-span-2">{text("label.network")}</span>
              <span>{text("deposit.tradable")}</span>
              <span>{text("deposit.withdrawable")}</span>
              <span className="text-right">{text("deposit.minimum")}</span>
            </p>
            <div role="radiogroup" aria-label={text("label.network")}>
              {open.map((network) => (
                <NetworkRow
                  key={network.network}
                  network={network}
                  asset={asset}
                  isChosen={network.network === code}
                  onChoose={() => setCode(network.network)}
                />
              ))}
            </div>
          </Step>
          <Step number={3} title={text("label.address")}>
            {chosen === undefined ? (
              <p className="text-muted text-ui">{text("deposit.choose")}</p>
            ) : (
              <OwnAddress key={chosen.network} asset={asset} network={chosen} />
            )}
          </Step>
        </Card>
        <Aside network={chosen ?? open[0]} />
      </div>
      <DepositRows first={deposits} />
    </WalletFrame>
  );
}

function Step(props: {
  readonly number: number;
  readonly title: string;
  readonly aside?: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="border-line border-t p-4 first:border-t-0 sm:p-6">
      <header className="mb-3 flex items-center gap-3">
        <span className="figures inline-flex size-6 items-center justify-center rounded-full border border-line2 text-label text-muted">
          {props.number}
        </span>
        <h2 className="text-card text-text">{props.title}</h2>
        <span className="ml-auto text-label text-muted max-sm:hidden">{props.aside}</span>
      </header>
      <div className="sm:pl-9">{props.children}</div>
    </section>
  );
}

function NetworkRow(props: {
  readonly network: NetworkView;
  readonly asset: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  const text = useWalletText();
  const { network, asset, isChosen, onChoose } = props;
  const coin = network.coins.find((one) => one.asset === asset);
  const after = (blocks: number): string =>
    text("deposit.blocks", { blocks, time: roughTime(blocks * network.blockSeconds) });
  return (
    <label className="grid min-h-11 cursor-pointer grid-cols-[20px_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-t px-2 py-2 text-ui has-checked:bg-active md:grid-cols-[20px_minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_80px_70px]">
      <input
        type="radio"
        name="network"
        value={network.network}
        checked={isChosen}
        disabled={network.state === "away"}
        onChange={onChoose}
        className="accent-text"
      />
      <span className="font-medium">
        {network.name} <span className="text-label text-muted">{network.network}</span>
      </span>
      <span className="text-muted max-md:hidden">{after(network.creditBlocks)}</span>
      <span className="text-muted max-md:hidden">{after(network.unlockBlocks)}</span>
      <span className="figures text-right max-md:hidden">{coin?.depositMin}</span>
      <span className="justify-self-start">
        <Badge tone={network.state === "away" ? "warn" : "neutral"}>
          {text(network.state === "open" && network.isTest ? "network.test" : `network.${network.state}`)}
        </Badge>
      </span>
    </label>
  );
}

function useAddress(asset: string, network: string) {
  const calls = useCalls();
  const words = useAuthText();
  const [result, setNotified] = useState<DepositAddress>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      const answer = await (await calls()).call(CUSTODY_CALLS.address, { asset, network });
      if (isGone) return;
      setNotified(answer.ok ? answer.data : undefined);
      setProblem(answer.ok ? undefined : describeFailure(words, answer));
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [calls, words, asset, network]);
  return { answer: result, problem };
}

function OwnAddress({ asset, network }: { readonly asset: string; readonly network: NetworkView }) {
  const text = useWalletText();
  const { answer: result, problem } = useAddress(asset, network.network);
  if (problem !== undefined) return <p className="text-danger text-ui">{problem}</p>;
  if (result === undefined) return <p className="h-48 text-muted text-ui">…</p>;
  return (
    <>
      <div className="flex flex-wrap gap-5">
        <div className="shrink-0 rounded-card border border-line p-3">
          <QrCode text={result.address} label={text("deposit.scan")} sizePx={160} />
        </div>
        <div className="min-w-0 flex-1 max-sm:basis-full">
          <p className="text-label text-muted">{text("deposit.own", { asset, network: network.name })}</p>
          <Address address={result.address} />
          <CopyButton text={result.address} what={text("label.address")} worded className="mt-3" />
          {network.isTest && <TestCoins asset={asset} network={network.network} address={result.address} />}
        </div>
      </div>
      <p className="mt-4 rounded-control bg-warn-soft p-3 text-ui text-warn">
        {text("deposit.warning", { asset, network: network.name, min: result.depositMin })}
      </p>
    </>
  );
}

/** In groups of four, so that two can be compared; users compare the ends. */
function Address({ address }: { readonly address: string }) {
  const groups = [address.slice(0, 6), ...(address.slice(6).match(/.{1,4}/g) ?? [])];
  return (
    <p className="mt-1 flex flex-wrap gap-x-1.5 font-mono text-[15px] text-muted" data-address={address}>
      {groups.map((group, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never move
          key={index}
          className={index === 0 || index === groups.length - 1 ? "font-semibold text-text" : undefined}
        >
          {group}
        </span>
      ))}
    </p>
  );
}

/** The chain's faucet is at the root of the site, one step above the API's base. */
/** Next to the API base, not below it. */
const FAUCET = { ...CHAIN_CALLS.faucet, path: `/..${CHAIN_CALLS.faucet.path}` };

function TestCoins(props: { readonly asset: string; readonly network: string; readonly address: string }) {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [result, setNotified] = useState<string>();
  const amount = props.asset === "USDT" ? "500" : "1";
  const get = async () => {
    setBusy(true);
    const answer = await (await calls()).call(FAUCET, { ...props, amount });
    setBusy(false);
    setNotified(answer.ok ? text("deposit.testSent") : describeFailure(words, answer));
  };
  return (
    <div className="mt-4">
      <Button size={40} icon="coins" busy={isBusy} onPress={() => void get()}>
        {text("deposit.test")}
      </Button>
      <p role="status" className="mt-2 text-label text-muted">
        {result ?? text("deposit.testNote", { amount, asset: props.asset })}
      </p>
    </div>
  );
}

function Aside({ network }: { readonly network: NetworkView | undefined }) {
  const text = useWalletText();
  if (network === undefined) return null;
  return (
    <div className="flex flex-col gap-4">
      <Card title={network.name}>
        <dl className="grid grid-cols-2 gap-y-3 text-ui">
          <dt className="text-muted">{text("deposit.blocksRead")}</dt>
          <dd className="figures text-right">{network.block ?? "–"}</dd>
          <dt className="text-muted">{text("deposit.seen")}</dt>
          <dd className="figures text-right">
            {network.blockAgeMs === null
              ? "–"
              : text("deposit.secondsAgo", { seconds: Math.round(network.blockAgeMs / 1_000) })}
          </dd>
        </dl>
      </Card>
      <Card title={text("deposit.rules")}>
        <ol className="flex list-disc flex-col gap-2 pl-4 text-muted text-ui">
          <li>{text("deposit.rule1")}</li>
          <li>{text("deposit.rule2")}</li>
          <li>{text("deposit.rule3", { blocks: network.creditBlocks })}</li>
          <li>{text("deposit.rule4", { blocks: network.unlockBlocks })}</li>
        </ol>
      </Card>
      <Card title={text("deposit.replacedTitle")}>
        <p className="text-muted text-ui">{text("deposit.replaced")}</p>
      </Card>
    </div>
  );
}
