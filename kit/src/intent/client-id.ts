// The id a caller gives one intent: the same form in every call, and long enough for a UUID.

export const CLIENT_ID_LENGTH_MAX = 36;
/** As a schema writes it; the same letters as a client order id. */
export const CLIENT_ID_PATTERN = "^[A-Za-z0-9._:/-]{1,36}$";
