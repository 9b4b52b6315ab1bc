import type { Command } from 'commander';
import { storePlaces } from '../../conversations/stores/places/place';
import { defaultFolder } from '../default-folders';
import { gateway } from '../gateway';
import { summarizerOptions } from '../models';
import { addTenant, serve } from '../serve';
import { automationOptions, upstreamOptions } from '../server-options';
import { duration, several, wholeNumber } from './option-values';

export function addGateway(program: Command): void {
  const command = summarizerOptions(program.command('gateway'))
    .description('run a server between agents and their providers that compacts requests')
    .summary('run a server that compacts requests of agents')
    .option('--port <number>', 'port on this machine; 0 means any free port', wholeNumber, 0)
    .option('--folder <dir>', 'folder of the conversations and their journals', defaultFolder());
  upstreamOptions(command).option(
    '--set <parameter=value>',
    'a parameter of the strategy; can be given several times',
    several,
  );
  automationOptions(command)
    .option(
      '--keep-one-offs',
      'also keep requests without tools that no other request continues, such as those for a title',
    )
    .option('--durable', 'wait until each request and answer is on the disk, so that a power failure loses none')
    .option(
      '--token <text>',
      'secret in the addresses; by default a new one. Set STRATA_GATEWAY_TOKEN instead to keep it out of process lists',
    )
    .option('--json', 'print the addresses as JSON')
    .action((options) => gateway(options));
}

export function addServe(program: Command): void {
  const served = program
    .command('serve')
    .description('run a gateway for a team: one store, a token for each tenant, any number of processes')
    .summary('run a gateway for a team')
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--port <number>', 'port; 0 means any free one', wholeNumber, 0)
    .option('--store <place>', String(storePlaces), defaultFolder())
    .option('--tenants <file>', 'file with a line "NAME sha256:DIGITS" for each token', 'tenants');
  automationOptions(upstreamOptions(served))
    .option(
      '--in-flight <MB>',
      'memory for request bodies in megabytes, at most half of it for one tenant; beyond that, clients are asked to try again',
      wholeNumber,
      256,
    )
    .option(
      '--keep <time>',
      'delete conversations that were not written to for this long: 12h, 30d, 4w; by default never',
      duration,
    )
    .option(
      '--drain <seconds>',
      'after the signal to stop: how long it still takes requests while it reports that it is not ready',
      wholeNumber,
      0,
    )
    .option('--grace <seconds>', 'after that: how long open requests may take to finish', wholeNumber, 30)
    .option('--no-request-log', 'no line on standard error for each request')
    .option('--json', 'print the address and the log as JSON')
    .action((options) => serve(options));
  served
    .command('token')
    .description('make a token for a tenant; it is printed once and stored nowhere')
    .argument('<name>', 'name of the tenant')
    .action((name, _options, command) => addTenant(name, command.optsWithGlobals()));
}
