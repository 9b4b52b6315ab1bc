import '../styles/panel.css';
import '../styles/prose.css';
import '../styles/surfaces.css';
import '../styles/layout.css';
import './page.css';
import { mount } from 'svelte';
import { Evaluation } from '../state/evaluate/evaluation.svelte';
import Page from './Page.svelte';
import { pageSource } from './page-source';

const target = document.getElementById('strata');
if (!target) throw new Error('The page has no element #strata');

mount(Page, { target, props: { evaluation: new Evaluation(pageSource()), title: document.title } });
