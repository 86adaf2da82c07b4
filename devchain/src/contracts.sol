// SPDX-License-Identifier: MIT
// The contracts of the development chain. Placed in the genesis as running code with their storage; the compiled bytes
// are in contracts.ts; the one that pays many at once is in payout-code.ts. solc 0.8.30, optimizer 200 runs, EVM version paris, no metadata.
pragma solidity 0.8.30;

/// An ordinary ERC-20 coin; with feeBps above zero it keeps part of every transfer, as some coins do.
contract Coin {
    mapping(address => uint256) public balanceOf; // slot 0
    mapping(address => mapping(address => uint256)) public allowance; // slot 1
    uint256 public totalSupply; // slot 2
    string public name; // slot 3
    string public symbol; // slot 4
    uint8 public decimals; // slot 5
    uint256 public feeBps; // slot 6

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function move(address from, address to, uint256 value) internal {
        require(to != address(0), "nobody");
        uint256 held = balanceOf[from];
        require(held >= value, "balance");
        unchecked {
            balanceOf[from] = held - value;
            uint256 kept = value * feeBps / 10000;
            balanceOf[to] += value - kept;
            totalSupply -= kept;
        }
        // The whole value is told, also by a coin that keeps some of it: events are no proof of what arrived.
        emit Transfer(from, to, value);
    }
}

/// Takes nothing: what is sent to it comes back with an error. For withdrawals that fail on the chain.
contract Shut {
    receive() external payable {
        revert("shut");
    }
}
