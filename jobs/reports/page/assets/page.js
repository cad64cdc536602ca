'use strict';
(() => {
  // Sorting. Rows move alone or, in grouped tables, as the bodies they stand in. A heading
  // sorts up, then down, then restores the order in which the table came; equal keys keep
  // the order they have.
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const compare = {
    number: (a, b) => Number(a) - Number(b),
    text: collator.compare,
  };

  const keyOf = (unit, column) => {
    const cell = (unit.rows ? unit.rows[0] : unit).cells[column];
    return cell.dataset.key ?? cell.textContent.trim();
  };

  const sorted = (units, column, kind, sign) => {
    const keyed = units.map((unit) => [keyOf(unit, column), unit]);
    const blank = keyed.filter(([key]) => key === '');
    const filled = keyed.filter(([key]) => key !== '');
    filled.sort(([a], [b]) => sign * compare[kind](a, b));
    return [...filled, ...blank].map(([, unit]) => unit);
  };

  const next = { none: 'ascending', ascending: 'descending', descending: 'none' };

  for (const table of document.querySelectorAll('table')) {
    const grouped = table.classList.contains('grouped');
    const parent = grouped ? table : table.tBodies[0];
    const given = grouped ? [...table.tBodies] : [...(parent?.rows ?? [])];
    let units = given;
    const heads = [...table.tHead.querySelectorAll('th[data-sort]')];

    const sortBy = (head) => {
      const order = next[head.getAttribute('aria-sort') ?? 'none'];
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      if (order === 'none') {
        units = given;
      } else {
        head.setAttribute('aria-sort', order);
        units = sorted(units, Number(head.dataset.column), head.dataset.sort, order === 'ascending' ? 1 : -1);
      }
      parent.append(...units);
    };

    for (const head of heads) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...head.childNodes);
      if (head.dataset.name !== button.textContent) {
        button.ariaLabel = head.dataset.name;
      }
      button.addEventListener('click', () => sortBy(head));
      head.append(button);
    }
  }

  // The contents say where the reader is: the line that decides moves down the window with the page.
  const entries = [...document.querySelectorAll('#contents a')].map((a) => [a, document.getElementById(decodeURIComponent(a.hash.slice(1)))]);
  const follow = () => {
    const least = Math.max(1, document.documentElement.scrollHeight - innerHeight);
    const line = innerHeight * (0.2 + 0.8 * Math.min(1, scrollY / least) ** 4);
    const here = entries.findLast(([, place]) => place.getBoundingClientRect().top <= line)?.[0];
    for (const [a] of entries) {
      if (a === here) a.setAttribute('aria-current', 'location');
      else a.removeAttribute('aria-current');
    }
    const list = document.getElementById('contents');
    if (here && list.scrollHeight > list.clientHeight) list.scrollTop = here.offsetTop - list.clientHeight / 2;
  };
  if (entries.length > 0) {
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    follow();
  }

  // Colours: the system's until the button is pressed, then the button's.
  const root = document.documentElement;
  const theme = document.getElementById('theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const label = () => {
    theme.textContent = isDark() ? 'Light colours' : 'Dark colours';
  };
  theme.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    label();
  });
  system.addEventListener('change', label);
  label();
  theme.hidden = false;

  // Folds: open in print, and where a link leads into one.
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('details:not([open])')];
    opened.forEach((fold) => { fold.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((fold) => { fold.open = false; }));
  const unfold = () => {
    const fold = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.querySelector(':scope > details');
    if (fold) fold.open = true;
  };
  addEventListener('hashchange', unfold);
  unfold();
})();
