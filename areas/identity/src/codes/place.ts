// The limits of codes requested without a login: per device the account recognises, else per requesting address. No
// outsider uses up the owner's codes or guesses.

/** The origin of a request without a login. */
export interface Requester {
  /** The part of an address that is one caller's. */
  readonly source: string;
  readonly deviceKey: string;
}

export interface CodePlace {
  readonly place: string;
  readonly isKnown: boolean;
}

const NOBODY = 0;

/** The same work whether there is such an account or not. */
export async function placeOf(
  knowsDevice: (userId: number, deviceKey: string) => Promise<boolean>,
  userId: number | undefined,
  { source, deviceKey }: Requester,
): Promise<CodePlace> {
  const isKnown = await knowsDevice(userId ?? NOBODY, deviceKey);
  return { place: isKnown ? `device:${deviceKey}` : `address:${source}`, isKnown };
}
