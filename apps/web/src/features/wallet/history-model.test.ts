import { WALLET_NAMES } from "@clockwork/kit/wallet/names";
import { expect, test } from "vitest";
import { futuresCatalogue } from "#locales/en-us-futures.ts";
import { ordersCatalogue } from "#locales/en-us-orders.ts";
import { spotCatalogue } from "#locales/en-us-spot.ts";
import { tradeCatalogue } from "#locales/en-us-trade.ts";
import { walletCatalogue } from "#locales/en-us-wallet.ts";
import { billsQuery, COLUMNS, readColumns, readFilters } from "./history-model.ts";

const query = (text: string) => billsQuery(readFilters(new URLSearchParams(text)));

test("[WAL-3] the history's address selects the page and the bills; invalid filters are ignored", () => {
  expect(query("")).toEqual({ page: 1, limit: 15 });
  expect(query("page=3&account=4&coin=BTC&small=hide")).toEqual({
    walletType: "4",
    asset: "BTC",
    least: "0.1",
    page: 3,
    limit: 15,
  });
  expect(query("page=0&account=10&coin=btc&small=yes&from=2026-13-01&group=none")).toEqual({ page: 1, limit: 15 });
  expect(query("page=99999").page).toBe(1);
  expect(query("account=toString")).toEqual({ page: 1, limit: 15 });
});

test("[WAL-3] columns that were kept are shown in the table's order; anything else than columns is all of them", () => {
  expect(readColumns(["reference", "time", "nothing"])).toEqual(["time", "reference"]);
  expect(readColumns([])).toEqual([]);
  expect(readColumns("time") ?? COLUMNS).toEqual(COLUMNS);
});

test("[WAL-1] an account has one name on every page", () => {
  for (const [type, name] of Object.entries(WALLET_NAMES)) {
    const words: Readonly<Record<string, string>> = { ...walletCatalogue };
    expect(ordersCatalogue[`wallet.${type}` as keyof typeof ordersCatalogue]).toBe(name);
    expect(words[`wallet.${type}`] ?? name).toBe(name);
  }
  const [spot, funding, linear, inverse] = [WALLET_NAMES["1"], WALLET_NAMES["2"], WALLET_NAMES["3"], WALLET_NAMES["4"]];
  expect([tradeCatalogue["account.spot"], tradeCatalogue["account.funding"]]).toEqual([spot, funding]);
  expect([spotCatalogue["transfer.spot"], spotCatalogue["transfer.funding"]]).toEqual([spot, funding]);
  const { "account.linear": one, "account.inverse": other } = futuresCatalogue;
  expect([one, other]).toEqual([linear, `${inverse} {settle}`]);
});
