// Parts of statements that number things: each finds a counter and takes its lock, which whoever has it keeps until the transaction ends,
// so that numbers become readable in their order. The lock is taken by writing another property first. An assignment that reads its own
// property, `SET c.value = c.value + 1`, takes two locks of the node and gives the outer one back at once: of two transactions, one of
// which counts twice, each then waits for the other.

export const LOCK_LIFECYCLE = `MATCH (lifecycle:Counter {name: 'lifecycle'})
   SET lifecycle.touched = timestamp()`;

export const LOCK_AUDIT = `MATCH (audit:Counter {name: 'audit'})
   SET audit.touched = timestamp()`;

export const LOCK_ACCESS = `MATCH (access:Counter {name: 'access'})
   SET access.touched = timestamp()`;
