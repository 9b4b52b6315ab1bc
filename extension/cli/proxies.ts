type Variables = Readonly<Record<string, string | undefined>>;

/** Since Node.js 24.14 and 25.4. */
type Http = typeof import('node:http') & {
  readonly setGlobalProxyFromEnv?: (variables: Record<string, string>) => unknown;
};

/** Models and agents on this machine are never asked through a proxy. */
const thisMachine = 'localhost,127.0.0.1,::1,[::1]';

/**
 * Makes `node:http` and `node:https` requests of this process use HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in upper or lower case. Returns a
 * message for the person if they are set and this version of Node.js cannot use them; otherwise null.
 */
export function honourProxies(variables: Variables): string | null {
  const set = (name: string) => variables[name.toLowerCase()] || variables[name];
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY'].flatMap((name): [string, string][] => {
    const proxy = set(name);
    return proxy ? [[name, proxy]] : [];
  });
  if (proxies.length === 0) return null;
  const exceptions = [set('NO_PROXY'), thisMachine].filter(Boolean).join(',');
  // Importing it takes as long as the rest of a short command.
  const { setGlobalProxyFromEnv: setProxies }: Http = process.getBuiltinModule('node:http');
  if (setProxies) setProxies({ ...Object.fromEntries(proxies), NO_PROXY: exceptions });
  else if (!variables.NODE_USE_ENV_PROXY) return notHonoured(proxies.map(([name]) => name));
  return null;
}

function notHonoured(names: readonly string[]): string {
  return `${names.join(' and ')} cannot be used: set NODE_USE_ENV_PROXY=1 (Node.js 22.21), or use Node.js 24.14 or newer. This is ${process.version}.`;
}
