<?php

// Signs one PDF: php sign-one.php contract.pdf contract-signed.pdf

declare(strict_types=1);

use Sinete\Sinete;
use Sinete\SignOptions;

require getcwd() . '/vendor/autoload.php';

[, $source, $target] = $argv;
$sinete = new Sinete(getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171');
[$signed] = $sinete->sign([$source], new SignOptions(type: 'PAdES', setting: ['reason' => 'I agree']));
$signed->save($target);
echo "{$target} is signed.\n";
