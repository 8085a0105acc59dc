import { ServiceError } from '../../service/errors/index.ts';
import type { ClockView } from '../../ui-contract/doctor-calls.ts';
import type { CallHandlers } from '../../ui-contract/ui-contract.ts';
import { changeChosenSettings } from '../config/chosen-settings.ts';
import { readFindings } from '../doctor/read-findings.ts';
import type { Core } from '../compose/open-core.ts';
import { checkForUi } from './views.ts';

type DoctorCalls = Pick<
  CallHandlers,
  Extract<keyof CallHandlers, `doctor.${string}` | `clock.${string}` | `secrets.${string}`>
>;

function clockForUi({ time, now }: Pick<Core, 'time' | 'now'>): ClockView {
  const { doubted, ahead, accepted } = time.state();
  return {
    now: now().toISOString(),
    doubted,
    ahead: ahead === undefined ? null : Math.round(ahead / 1000),
    accepted: accepted?.toISOString() ?? null,
  };
}

/**
 * The calls of the Doctor, of the clock and of the secret store. `baseUrl` is the address of the interface, or an empty
 * text.
 */
export function doctorCalls(core: Core, baseUrl: () => string): DoctorCalls {
  return {
    'doctor.read': async () => {
      const { status, checks } = await readFindings(core, baseUrl());
      return { status, checks: checks.map(checkForUi) };
    },
    'secrets.keep': async () => {
      if (core.keepSecretsInFile === undefined) {
        throw new ServiceError('FEATURE_NOT_SUPPORTED', 'The configuration says where secrets are kept.');
      }
      await core.keepSecretsInFile();
      return {};
    },
    'doctor.keepPort': async () => {
      const url = baseUrl();
      if (url === '')
        throw new ServiceError(
          'FEATURE_NOT_SUPPORTED',
          'This instance listens at no port, so there is no port to keep.',
        );
      const port = Number(new URL(url).port);
      // Stored even if the configuration fixes the port: the Doctor then knows that the port is intended.
      await changeChosenSettings(core.dataFolder, [], { port });
      return { port };
    },
    'clock.read': async () => Promise.resolve(clockForUi(core)),
    'clock.accept': async () => {
      core.time.accept();
      return Promise.resolve(clockForUi(core));
    },
    'doctor.visits': async () =>
      Promise.resolve({
        now: core.now().toISOString(),
        visits: core.visits.list().map((visit) => ({ ...visit, at: visit.at.toISOString() })),
      }),
  };
}
