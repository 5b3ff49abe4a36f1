import type { z } from 'zod';

import type { Operation } from './operation/definition.ts';

/** One request of an operation, and what it is answered. */
export interface OperationExample {
  /** Values of the parameters in the path. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query parameters as they stand in the address, before they are percent-encoded. */
  readonly query?: Readonly<Record<string, string>>;
  /** The JSON body. */
  readonly body?: unknown;
  /** The key that the request names. */
  readonly key?: string;
  /** The body of an operation that takes bytes, here a text, and its media type. */
  readonly upload?: { readonly mediaType: string; readonly text: string };
  readonly status: number;
  /** The JSON body of the answer, or its text where it is no JSON; left out where there is none. */
  readonly answer?: unknown;
  /** True where the service answers more of the same than is shown. */
  readonly excerpt?: true;
}

type Params<O> = O extends { params: infer Names }
  ? { readonly params: { readonly [Name in keyof Names]: string } }
  : { readonly params?: never };

type Query<O> = O extends { query: infer Schema extends z.ZodType }
  ? { readonly query?: { readonly [Name in keyof z.input<Schema>]?: string } }
  : { readonly query?: never };

type Body<O> = O extends { body: { schema: infer Schema extends z.ZodType } }
  ? { readonly body: z.input<Schema> }
  : { readonly body?: never };

type Upload<O> = O extends { bytes: true } ? Required<Pick<OperationExample, 'upload'>> : { upload?: never };

type Key<O> = O extends { keyed: true } ? { readonly key: string } : { readonly key?: never };

type AnswerBody<A> = A extends { schema: infer Schema extends z.ZodType }
  ? { readonly answer: z.output<Schema> }
  : A extends { empty: true }
    ? { readonly answer?: never }
    : { readonly answer: unknown };

type Answered<O> = O extends { answers: infer Answers }
  ? { [Status in keyof Answers]: { readonly status: Status } & AnswerBody<Answers[Status]> }[keyof Answers]
  : never;

/** An example that fits an operation. */
export type ExampleOf<O extends Operation> = Params<O> &
  Query<O> &
  Body<O> &
  Upload<O> &
  Key<O> &
  Answered<O> &
  Pick<OperationExample, 'excerpt'>;

/** An example for each operation of a part of the table. */
export type ExamplesOf<Operations extends Record<string, Operation>> = {
  readonly [Id in keyof Operations]: ExampleOf<Operations[Id]>;
};
