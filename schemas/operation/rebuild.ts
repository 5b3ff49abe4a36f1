import {
  buildRequest,
  builtBeliefs,
  builtEpisodes,
  rederiveAccepted,
  rederiveJob,
  rederiveRequest,
} from '../rebuild.ts';
import type { Operation } from './definition.ts';

/** Operations that derive again. */
export const REBUILD_OPERATIONS = {
  rederive: {
    method: 'POST',
    path: '/v1/admin/derived/rederive',
    noun: 'rebuild',
    summary: 'Derive again',
    description:
      'Asks for a job that drops what was derived of a scope, of a tenant or of everything, and derives it again from the log: the same ids and the same content come of it, and no lifecycle frames. With `event_ids` only these events are derived again, where they are; or the whole scope, where one of them is of a claim with more than 1,000 statements. Stored answers of models are replayed, none is asked. For owners of the scope who have the capability admin; everything is for the operator key. Asked again by the same caller while a job about the same is not over, it answers that job.',
    access: { capability: 'admin' },
    audited: true,
    body: { schema: rederiveRequest, required: true, cap: 'single' },
    answers: {
      202: {
        description: 'The job.',
        schema: rederiveAccepted,
        next: { getRederive: { id: '/job_id' } },
      },
    },
    errors: ['NOT_A_MEMBER', 'NO_TARGETS', 'NO_ELIGIBLE_EVENTS', 'REDERIVE_IN_PROGRESS'],
    graphql: { kind: 'mutation', field: 'rederive' },
  },
  getRederive: {
    method: 'GET',
    path: '/v1/admin/derived/rederive/{id}',
    noun: 'rebuild',
    named: 'job',
    missing: 'JOB_NOT_FOUND',
    summary: 'How far a job is',
    description:
      'A job that derives again, to whoever asked for it, until a week after its end. What is unknown or another caller’s is the same 404.',
    access: { capability: 'admin' },
    params: { id: 'Id of the job.' },
    answers: { 200: { description: 'The job.', schema: rederiveJob } },
    errors: ['JOB_NOT_FOUND'],
    graphql: { kind: 'query', field: 'rederiveJob' },
  },
  buildBeliefs: {
    method: 'POST',
    path: '/v1/beliefs/build',
    noun: 'rebuild',
    summary: 'Build the beliefs of a scope anew',
    description:
      'Drops what was derived of a scope, derives it again from the log, waits for that, and says what beliefs there are. Beliefs are kept up with the log anyway, so this changes nothing; repeated it answers the same. For writers who may read there. When the wait budget runs out the job goes on.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    body: { schema: buildRequest, required: true, cap: 'single' },
    answers: { 200: { description: 'What there is now.', schema: builtBeliefs } },
    errors: ['NOT_A_MEMBER', 'WAIT_TIMEOUT'],
    graphql: { kind: 'mutation', field: 'buildBeliefs' },
  },
  buildEpisodes: {
    method: 'POST',
    path: '/v1/episodes/build',
    noun: 'rebuild',
    summary: 'Build the episodes of a scope anew',
    description:
      'Drops what was derived of a scope, derives it again from the log, waits for that, and says what episodes there are. Episodes are kept up with the log anyway, so this changes nothing; repeated it answers the same. For writers who may read there. When the wait budget runs out the job goes on.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    body: { schema: buildRequest, required: true, cap: 'single' },
    answers: { 200: { description: 'What there is now.', schema: builtEpisodes } },
    errors: ['NOT_A_MEMBER', 'WAIT_TIMEOUT'],
    graphql: { kind: 'mutation', field: 'buildEpisodes' },
  },
} as const satisfies Record<string, Operation>;
