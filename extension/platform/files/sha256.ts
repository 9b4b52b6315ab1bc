import { portableSha256, type TextHash } from '../../engine/conversation/sha256';

/**
 * The part of Node that is available without an import, in newer versions. Source: https://nodejs.org/api/process.html
 */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: 'node:crypto'): { hash?(algorithm: 'sha256', text: string): string } | undefined;
  };
}

/** Several times faster than the portable implementation; null if the runtime has none. */
export function nativeSha256({ process }: Runtime): TextHash | null {
  const hash = process?.getBuiltinModule?.('node:crypto')?.hash;
  return hash ? (text) => hash('sha256', text) : null;
}

export const sha256Of: TextHash = nativeSha256(globalThis) ?? portableSha256;
