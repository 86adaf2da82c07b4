// The browser's passkeys in the JSON the server speaks: options in, a signed answer out. Nothing is kept.
import type { Authentication, Registration } from "@clockwork/identity/passkeys/contract";

interface Described {
  readonly id: string;
  readonly type: "public-key";
  readonly transports?: readonly string[];
}

interface CreationJson {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly excludeCredentials?: readonly Described[];
}

interface RequestJson {
  readonly challenge: string;
  readonly allowCredentials?: readonly Described[];
}

/** A passkey belongs to a name: at an address of digits there are none. */
export function hasPasskeys(): boolean {
  const isNamed = /[a-z]/i.test(location.hostname);
  return isNamed && typeof PublicKeyCredential !== "undefined" && navigator.credentials !== undefined;
}

function decode(text: string): ArrayBuffer {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0)).buffer;
}

function encode(buffer: ArrayBuffer): string {
  const raw = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decodeList(list: readonly Described[] | undefined): PublicKeyCredentialDescriptor[] {
  return (list ?? []).map(({ id, type, transports }) => ({
    id: decode(id),
    type,
    ...(transports === undefined ? {} : { transports: [...transports] as AuthenticatorTransport[] }),
  }));
}

/** Undefined when the user declined or the device could not. */
export async function createPasskey(json: unknown): Promise<Registration | undefined> {
  const options = json as CreationJson & Record<string, unknown>;
  const publicKey = {
    ...options,
    challenge: decode(options.challenge),
    user: { ...options.user, id: decode(options.user.id) },
    excludeCredentials: decodeList(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const made = (await navigator.credentials.create({ publicKey }).catch(() => null)) as PublicKeyCredential | null;
  if (made === null) return undefined;
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    ...describe(made),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      attestationObject: encode(response.attestationObject),
      transports: response.getTransports?.() ?? [],
    },
  };
}

export async function showPasskey(json: unknown): Promise<Authentication | undefined> {
  const options = json as RequestJson & Record<string, unknown>;
  const publicKey = {
    ...options,
    challenge: decode(options.challenge),
    allowCredentials: decodeList(options.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions;
  const shown = (await navigator.credentials.get({ publicKey }).catch(() => null)) as PublicKeyCredential | null;
  if (shown === null) return undefined;
  const response = shown.response as AuthenticatorAssertionResponse;
  return {
    ...describe(shown),
    response: {
      clientDataJSON: encode(response.clientDataJSON),
      authenticatorData: encode(response.authenticatorData),
      signature: encode(response.signature),
      ...(response.userHandle === null ? {} : { userHandle: encode(response.userHandle) }),
    },
  };
}

interface DescribedCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly clientExtensionResults: object;
  readonly authenticatorAttachment?: "platform" | "cross-platform";
}

function describe(credential: PublicKeyCredential): DescribedCredential {
  const attachment = credential.authenticatorAttachment;
  return {
    id: credential.id,
    rawId: encode(credential.rawId),
    type: "public-key",
    clientExtensionResults: {},
    ...(attachment === "platform" || attachment === "cross-platform" ? { authenticatorAttachment: attachment } : {}),
  };
}
