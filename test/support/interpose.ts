/** Has something happen once, right before a method of a class works; until `jest.restoreAllMocks`. */
export function before<T extends object>(
  owner: T,
  method: keyof T & string,
  happens: () => Promise<unknown>,
): void {
  const original = owner[method] as (...args: unknown[]) => Promise<unknown>;
  let did = false;
  jest.spyOn(owner as any, method).mockImplementation(async function (this: unknown, ...args: unknown[]) {
    if (!did) {
      did = true;
      await happens();
    }
    return original.apply(this, args);
  } as any);
}

/** Has something happen each time, right behind a method of a class; until `jest.restoreAllMocks`. */
export function behind<T extends object>(
  owner: T,
  method: keyof T & string,
  happens: () => Promise<unknown>,
): void {
  const original = owner[method] as (...args: unknown[]) => Promise<unknown>;
  jest.spyOn(owner as any, method).mockImplementation(async function (this: unknown, ...args: unknown[]) {
    const answer = await original.apply(this, args);
    await happens();
    return answer;
  } as any);
}

/** Has something happen in place of a method of a class, which is handed in; until `jest.restoreAllMocks`. */
export function around<T extends object>(
  owner: T,
  method: keyof T & string,
  work: (original: (...args: any[]) => Promise<any>, ...args: any[]) => Promise<unknown>,
): void {
  const original = owner[method] as (...args: unknown[]) => Promise<unknown>;
  jest.spyOn(owner as any, method).mockImplementation(function (this: unknown, ...args: unknown[]) {
    return work(original.bind(this), ...args);
  } as any);
}
