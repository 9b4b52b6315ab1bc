import { type Browser, chromium } from 'playwright-core';
import { findProgram, isExecutable } from '../processes/find-program.ts';

const CHROMIUM_ARGUMENTS = [
  // Chromium refuses its sandbox to root, and most containers run tests as root.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @throws Error which says how to get a Chromium, when there is none. */
export function findChromium(): string {
  const named = process.env.STRATA_CHROMIUM;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`STRATA_CHROMIUM is set to ${named}, which is not a program that can be run.`);
  }
  const found = installedChromium();
  if (found === undefined) throw new Error(NO_CHROMIUM);
  return found;
}

/** Whether `findChromium` finds a browser, or the environment names one. */
export function hasChromium(): boolean {
  return Boolean(process.env.STRATA_CHROMIUM) || installedChromium() !== undefined;
}

function installedChromium(): string | undefined {
  return findProgram('chromium', 'chromium-browser', 'google-chrome');
}

const NO_CHROMIUM =
  'The browser editor needs Chromium, and there is no chromium, chromium-browser or google-chrome on the PATH. ' +
  'On Debian: apt-get install chromium. Elsewhere set STRATA_CHROMIUM to the path of a Chromium or Chrome program.';

/** A headless Chromium. It ends with this process, because it is controlled through a pipe from here. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS });
}
