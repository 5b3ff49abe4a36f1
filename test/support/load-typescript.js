// In each worker of jest, which is a thread and does not take over how its process loads TypeScript.
import { isMainThread } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

if (!isMainThread) register();
