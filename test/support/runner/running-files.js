// A reporter of jest that keeps in the file which `STRATA_TEST_RUNNING` names since when each test file runs, for whoever has to end the run.
import { renameSync, writeFileSync } from 'node:fs';

export default class RunningFiles {
  #since = new Map();

  onTestFileStart({ path }) {
    this.#since.set(path, Date.now());
    this.#write();
  }

  onTestFileResult({ path }) {
    this.#since.delete(path);
    this.#write();
  }

  #write() {
    const file = process.env.STRATA_TEST_RUNNING;
    if (file === undefined) return;
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(this.#since)));
    renameSync(`${file}.new`, file);
  }
}
