// The id a caller gives one intent: the same form in every call, and long enough for a UUID.

export const CLIENT_ID_LENGTH_MAX = 36;
/** In the form of a schema; the same characters as a client order id. */
export const CLIENT_ID_PATTERN = "^[A-Za-z0-9._:/-]{1,36}$";
