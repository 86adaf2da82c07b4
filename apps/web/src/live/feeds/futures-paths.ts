// Where the calls of futures lie. Apart from the streams, so that a page that only calls loads none of them.

export const FUTURES_API = "/v1/futuresc";
/** Where the same lies for the server that draws a page; browsers ask their client. */
export const FUTURES_ROOT = `/futuresapi${FUTURES_API}`;

export const FUTURES_PATHS = {
  orders: `${FUTURES_API}/orders`,
  clear: `${FUTURES_API}/orders/clear`,
  cancel: `${FUTURES_API}/orders/cancel`,
  fills: `${FUTURES_API}/fills`,
  bills: `${FUTURES_API}/bills`,
  fee: `${FUTURES_API}/user-level-fee`,
  maxOrder: `${FUTURES_API}/max-order`,
  accounts: `${FUTURES_API}/accounts`,
  positions: `${FUTURES_API}/positions`,
  history: `${FUTURES_API}/positions/history`,
  settings: `${FUTURES_API}/positions/settings`,
} as const;
