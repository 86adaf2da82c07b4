// The paths of the calls about contracts: below one path for all products, for demo by its own, for inverse contracts
// by the seed's. A call is declared for the first of them.
import type { Endpoint } from "@clockwork/kit/endpoint";

export interface ContractPlace<Biz extends string = "futures" | "delivery" | "demo"> {
  /** The product a call is about when it names none. */
  readonly biz: Biz;
  readonly title: string;
  /** The same call here. */
  at<Called extends Endpoint>(called: Called): Called;
}

const LINEAR_PATH = "/v1/futuresc";

const place = <Biz extends string>(path: string, biz: Biz, title: string): ContractPlace<Biz> => ({
  biz,
  title,
  at: (called) => ({ ...called, path: called.path.replace(LINEAR_PATH, path) }),
});

export const LINEAR = place(LINEAR_PATH, "futures", "");
export const INVERSE = place("/v1/perpcm", "delivery", " (coin-margined)");
export const DEMO = place(`${LINEAR_PATH}/simulated`, "demo", " (demo)");
