// Promises as React marks those it has seen through: what is settled is used at once, without a wait of one turn.

/** Settles with the promise, already marked when anybody who waits for it goes on. */
export function mark<Value>(promise: Promise<Value>): Promise<Value> {
  const loading: Promise<Value> = promise.then((value) => settle(loading, value));
  return loading;
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
