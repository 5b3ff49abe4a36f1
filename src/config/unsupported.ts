import { StartupError } from '../errors.ts';
import { settingOf, type SettingKey, type SettingValues } from './settings.ts';

/** A setting that was given and changes nothing. */
export interface IdleSetting {
  /** Its key in `strata.toml`. */
  readonly setting: SettingKey;
  /** Its variable. */
  readonly variable: string;
  /** Why it changes nothing. */
  readonly reason: string;
}

/** The refusal of whatever asks for a cluster of services, by the name under which that was given. */
export function clusterModeUnsupported(name: string): StartupError {
  return new StartupError(
    `CLUSTER_MODE_UNSUPPORTED: ${name} asks for a cluster of services, and there is none to set up: remove it, ` +
      'and start as many processes as you like on one database (NEO4J_URI)',
  );
}

/**
 * Refuses what the contract has and this release has not.
 *
 * @throws StartupError (exit code 78) naming the setting.
 */
export function refuseUnsupported(values: SettingValues): void {
  if (values['cluster.mode']) throw clusterModeUnsupported(nameOf('cluster.mode'));
  if (values['code.plane'])
    throw new StartupError(
      `${nameOf('code.plane')} asks for the code plane, which is not part of this release: remove it, or set it to 0; ` +
        'the operations under /v1/code answer 503 CODE_PLANE_DISABLED',
    );
}

/** Settings that ask for something and change nothing, for the log of the start. */
export function idleSettings(values: SettingValues): IdleSetting[] {
  const idle = (asked: boolean, setting: SettingKey, reason: string): IdleSetting[] =>
    asked ? [{ setting, variable: settingOf(setting).env, reason }] : [];
  return [
    ...idle(
      values['code.repo_roots'].length > 0,
      'code.repo_roots',
      'the code plane is not part of this release',
    ),
    ...idle(
      !values['upgrade.v1_layers_incremental'],
      'upgrade.v1_layers_incremental',
      'layers are always derived incrementally; "strata rebuild" derives them anew',
    ),
    ...idle(
      values['upgrade.extraction_cache_purge'],
      'upgrade.extraction_cache_purge',
      'there is no cache of extractions; what a model answered is part of the log, and goes with its event',
    ),
  ];
}

function nameOf(key: SettingKey): string {
  return `${key} (${settingOf(key).env})`;
}
