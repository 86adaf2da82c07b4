// The batch payout contract, written in EVM opcodes: no compiler is needed to read or to build it. It holds nothing,
// has no owner and has one call. In Solidity it would be
//
//   struct Part { address to; uint256 value; }
//   event Paid(uint256 places);
//   function pay(address coin, Part[] calldata parts) external payable
//
// With `coin` zero every part is paid in the chain's own coin from the value of the call, else in the token, from the
// caller's allowance for the contract: no caller can move another's. A receiver that refuses is skipped and delays no
// other: `Paid` lists which places were paid, bit by bit from the lowest, and what was not paid is returned to the
// caller.
import { keccak_256 } from "@noble/hashes/sha3.js";

/**
 * Words are executed one after the other on a stack. A number is pushed; `@name` pushes the position of `name:`. A word
 * pops its operands from the top: `5 CALLDATASIZE LT` checks whether the size is below five. Stack contents are listed
 * from the top down.
 */
const PROGRAM = `
  -- Nothing but this very call, exactly as long as its list says, with at most 256 parts: anything else is refused whole,
  -- coins sent by themselves too.
  100 CALLDATASIZE LT @bad JUMPI
  0 CALLDATALOAD 224 SHR {pay} EQ ISZERO @bad JUMPI
  36 CALLDATALOAD 64 EQ ISZERO @bad JUMPI
  256 68 CALLDATALOAD GT @bad JUMPI
  68 CALLDATALOAD 64 MUL 100 ADD CALLDATASIZE EQ ISZERO @bad JUMPI

  -- paid places, none yet; then the place looked at
  0 0
  -- place, paid
  next:
    68 CALLDATALOAD DUP2 LT ISZERO @end JUMPI
    -- where its part stands in the call: receiver, and 32 bytes on the value
    DUP1 64 MUL 100 ADD
    -- part, place, paid
    4 CALLDATALOAD @token JUMPI

    -- The chain's own coin, with the 2 300 gas every such transfer brings and no more: enough to receive, not to do anything.
    0 0 0 0
    DUP5 32 ADD CALLDATALOAD
    DUP6 CALLDATALOAD
    0 CALL
    @count JUMP

  token:
    -- transferFrom(caller, receiver, value), with 100 000 gas: a token cannot use up what the others need.
    {transferFrom} 224 SHL 0 MSTORE
    CALLER 4 MSTORE
    DUP1 CALLDATALOAD 36 MSTORE
    DUP1 32 ADD CALLDATALOAD 68 MSTORE
    32 128 100 0 0
    4 CALLDATALOAD
    100000 CALL
    -- It went well where the call did, and the token answered with true or, as old ones do, with nothing.
    128 MLOAD 1 EQ
    31 RETURNDATASIZE GT AND
    RETURNDATASIZE ISZERO OR
    AND

  count:
    -- went well, part, place, paid: the bit of the place joins the others
    DUP3 SHL DUP4 OR SWAP3 POP POP
    1 ADD
    @next JUMP

  end:
    POP 0 MSTORE
    -- What is left goes back; where it cannot, nothing of all this happened.
    SELFBALANCE ISZERO @tell JUMPI
    0 0 0 0 SELFBALANCE CALLER GAS CALL ISZERO @bad JUMPI
  tell:
    {Paid} 32 0 LOG1
    STOP

  bad:
    0 0 REVERT
`;

const WORDS: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  SHL: 0x1b,
  SHR: 0x1c,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  RETURNDATASIZE: 0x3d,
  SELFBALANCE: 0x47,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  JUMP: 0x56,
  JUMPI: 0x57,
  GAS: 0x5a,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP3: 0x82,
  DUP4: 0x83,
  DUP5: 0x84,
  DUP6: 0x85,
  SWAP3: 0x92,
  LOG1: 0xa1,
  CALL: 0xf1,
  REVERT: 0xfd,
};
const PUSH_ONE = 0x60;
const PUSH_TWO = 0x61;
const MARK = 0x5b;

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`;
const digestOf = (text: string): bigint => BigInt(hexOf(keccak_256(new TextEncoder().encode(text))));
const selectorOf = (text: string): bigint => digestOf(text) >> 224n;
const NAMED: Readonly<Record<string, bigint>> = {
  "{pay}": selectorOf("pay(address,(address,uint256)[])"),
  "{transferFrom}": selectorOf("transferFrom(address,address,uint256)"),
  "{Paid}": digestOf("Paid(uint256)"),
};

function assemble(program: string): `0x${string}` {
  const words = program.replaceAll(/--.*$/gm, "").trim().split(/\s+/);
  const bytes: number[] = [];
  const marks = new Map<string, number>();
  const jumps: { readonly at: number; readonly name: string }[] = [];
  for (const word of words) {
    const code = WORDS[word];
    if (code !== undefined) bytes.push(code);
    else if (word.endsWith(":")) {
      marks.set(word.slice(0, -1), bytes.length);
      bytes.push(MARK);
    } else if (word.startsWith("@")) {
      jumps.push({ at: bytes.length + 1, name: word.slice(1) });
      bytes.push(PUSH_TWO, 0, 0);
    } else {
      const text = (NAMED[word] ?? BigInt(word)).toString(16);
      const number = Buffer.from(text.padStart(text.length + (text.length % 2), "0"), "hex");
      bytes.push(PUSH_ONE + number.length - 1, ...number);
    }
  }
  for (const { at, name } of jumps) {
    const mark = marks.get(name);
    if (mark === undefined) throw new Error(`the program has no ${name}`);
    bytes.splice(at, 2, mark >> 8, mark & 0xff);
  }
  return hexOf(Uint8Array.from(bytes));
}

export const PAYOUT_CODE: `0x${string}` = assemble(PROGRAM);

/**
 * The transaction that deploys the contract: the size of its code, which starts at byte ten, is copied and returned.
 */
export const PAYOUT_DEPLOYMENT: `0x${string}` = `0x61${((PAYOUT_CODE.length - 2) / 2).toString(16).padStart(4, "0")}80600a3d393df3${PAYOUT_CODE.slice(2)}`;
