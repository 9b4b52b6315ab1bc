import './styles/panel.css';
import './styles/prose.css';
import './styles/surfaces.css';
import './styles/layout.css';
import { mount } from 'svelte';
import App from './components/App.svelte';
import { connectHost } from './host';
import { Panel } from './state/panel.svelte';
import { registerToolkit } from './toolkit/toolkit';

const target = document.getElementById('strata');
if (!target) throw new Error('The page of the panel has no element #strata');

registerToolkit();
const panel = connectHost((host) => new Panel(host));
mount(App, { target, props: { panel } });
void panel.start();
