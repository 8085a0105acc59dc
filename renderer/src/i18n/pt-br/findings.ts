/** The watch of web sites on the page Doctor, in Portuguese. */
export const findings = {
  watch: {
    title: 'Um site não encontra o Sinete?',
    text: 'Inicie a observação, vá ao site e tente lá de novo. Em segundos esta página diz se o pedido dele passou pelo navegador.',
    start: 'Iniciar a observação',
    stop: 'Parar',
    running: 'Observando. Vá ao site agora e tente de novo.',
    over: 'Nada chegou em dois minutos: o navegador retém os pedidos, ou o site não pediu. Veja abaixo o seu navegador.',
    last: 'Chegou desde o início',
    nothing: 'Nada ainda',
    open: 'Abrir o endereço do Sinete',
    openText:
      'Se ele não abrir no seu navegador, o navegador ou um proxy o impede de chegar a 127.0.0.1: acrescente 127.0.0.1 às exceções do proxy.',
    outcomes: {
      passed: 'Deixado passar',
      asked: 'Você foi consultado',
      ORIGIN_NOT_SECURE: 'Recusado: o site não usa https',
      ORIGIN_OPAQUE: 'Recusado: a página esconde de onde vem',
      ORIGIN_NOT_GRANTED: 'Recusado: sites não podem fazer isto',
      SITE_SCOPE_MISSING: 'Recusado: falta uma permissão ao site',
      BLIND_REQUEST_REFUSED: 'Recusado: o site precisa chamar com fetch em modo cors',
      CROSS_SITE_REFUSED: 'Recusado: o site precisa chamar com fetch em modo cors',
      NAVIGATION_REFUSED: 'Recusado: um formulário ou link leva até aqui; o site precisa chamar com fetch',
      HOST_NOT_OURS: 'Recusado: outro nome leva a este computador',
      CONSENT_REFUSED: 'Recusado: você não permitiu o site',
      CONSENT_TIMEOUT: 'Recusado: a pergunta não foi respondida a tempo',
      CONSENT_UNAVAILABLE: 'Recusado: não havia janela aberta para perguntar a você',
      BRIDGE_KEY_UNKNOWN: 'Recusado: a janela do site já tinha terminado',
      BRIDGE_BOUND: 'Recusado: a janela trabalha para outro site',
      BRIDGE_REFUSED: 'Recusado: sites não podem fazer isto pela janela deles',
      other: 'Recusado',
    },
    browsers: 'O que fazer em cada navegador',
    chrome: {
      name: 'Chrome e Edge, a partir da versão 142',
      text: 'Quando um site procura o Sinete pela primeira vez, o navegador pergunta se ele pode acessar outros apps e serviços neste dispositivo: escolha Permitir. Se foi escolhido Bloquear, ou a pergunta foi fechada três vezes: clique no ícone à esquerda do endereço, em Configurações do site, e permita “Apps no dispositivo” (“Acesso à rede local” antes da versão 145). Recarregue a página.',
    },
    brave: {
      name: 'Brave',
      text: 'O Brave bloqueia por conta própria. Clique no ícone à esquerda do endereço, em Configurações do site, e permita “Acesso ao localhost”. Se o item não existir, clique no leão e baixe as proteções para este site.',
    },
    firefox: {
      name: 'Firefox',
      text: 'Quando ele perguntar se o site pode se conectar a apps e serviços neste dispositivo, escolha Permitir. Se foi bloqueado: clique no cadeado à esquerda do endereço e apague a permissão bloqueada. Recarregue a página.',
    },
    safari: {
      name: 'Safari',
      text: 'O Safari não deixa nenhuma página https alcançar um programa deste computador. Use Chrome, Edge ou Firefox neste site, ou assine o arquivo na página Assinar daqui e entregue-o lá.',
    },
    managed: {
      name: 'Em um computador administrado',
      text: 'Quem o administra pode permitir o site para todos com a política LoopbackNetworkAllowedForUrls (LocalNetworkAccessAllowedForUrls antes da versão 146).',
    },
  },
};
