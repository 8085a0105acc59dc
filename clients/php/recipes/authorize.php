<?php

// A person authorizes one signature in the browser, and the program signs for them:
//   SINETE_CLIENT_ID=… SINETE_CLIENT_SECRET=… php authorize.php contract.pdf contract-signed.pdf
// The application is registered with the redirect address http://127.0.0.1:PORT/back (PORT is 8765 unless set).

declare(strict_types=1);

use Sinete\OAuthApplication;
use Sinete\Sinete;

require getcwd() . '/vendor/autoload.php';

[, $source, $target] = $argv;
$address = getenv('SINETE_ADDRESS') ?: 'http://127.0.0.1:17171';
$port = getenv('PORT') ?: '8765';
$portal = new OAuthApplication(
    $address,
    (string) getenv('SINETE_CLIENT_ID'),
    (string) getenv('SINETE_CLIENT_SECRET'),
    "http://127.0.0.1:{$port}/back",
);
$server = stream_socket_server("tcp://127.0.0.1:{$port}");
$authorization = $portal->begin('single_signature', 300);
echo "Open {$authorization->url}\n";
do {
    $connection = stream_socket_accept($server, -1);
    $line = (string) fgets($connection);
    fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nYou can close this page.\n");
    fclose($connection);
} while (preg_match('#^GET /back\?(\S+)#', $line, $found) !== 1);
parse_str($found[1], $answer);
$token = $portal->finish($authorization, $answer);
[$signed] = (new Sinete($address, $token->credentials()))->sign([$source]);
$signed->save($target);
echo "{$target} is signed.\n";
