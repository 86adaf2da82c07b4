// Promises as React marks those it has seen through: what is settled is used at once, without a wait of one turn.

/** Settles with the promise, already marked when any awaiting code continues. */
export function mark<Value>(promise: Promise<Value>): Promise<Value> {
  const loading: Promise<Value> = promise.then((value) => settle(loading, value));
  return loading;
}

const here = (): string => (typeof location === "undefined" ? "" : location.href);

/**
 * Loads once. A failed load is repeated at another address, after a navigation; at the same one it remains failed, or
 * React, which renders a component again, would load without end.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  let failedAt: string | undefined;
  return () => {
    if (failedAt !== undefined && failedAt !== here()) {
      loading = undefined;
      failedAt = undefined;
    }
    if (loading === undefined) {
      loading = mark(load());
      loading.catch(() => {
        failedAt = here();
      });
    }
    return loading;
  };
}

export function settled<Value>(value: Value): Promise<Value> {
  const promise = Promise.resolve(value);
  settle(promise, value);
  return promise;
}

function settle<Value>(promise: Promise<Value>, value: Value): Value {
  Object.assign(promise, { status: "fulfilled", value });
  return value;
}
